package io.queenmq.server.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.server.config.ConfigException;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.config.HttpConfig;
import io.queenmq.server.http.TestApi;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.CertificateAuthority;
import io.queenmq.testkit.CertificateAuthority.Issued;
import io.queenmq.testkit.TlsContexts;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Client certificates, and certificates that change while the server runs. */
@Timeout(120)
class MutualTlsTest {
    private static final String HEALTH = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";

    @TempDir
    static Path authorities;

    private static CertificateAuthority ours;
    private static CertificateAuthority theirs;
    private static Issued first;
    private static Issued second;
    private static Issued alice;
    private static Issued mallory;

    @TempDir
    private Path folder;

    private TestApi api;

    @BeforeAll
    static void issue() {
        ours = CertificateAuthority.create(authorities, "ours");
        theirs = CertificateAuthority.create(authorities, "theirs");
        first = ours.issue("first", "dns:localhost");
        second = ours.issue("second", "dns:localhost");
        alice = ours.issue("alice");
        mallory = theirs.issue("mallory");
    }

    @BeforeEach
    void writeFiles() throws IOException {
        replace("cert.pem", first.certificate());
        replace("key.pem", first.key());
        replace("ca.pem", ours.certificate());
    }

    @AfterEach
    void close() throws Exception {
        if (api != null) {
            api.close();
        }
    }

    @Test
    void aClientMustPresentACertificateOfTheAuthority() throws Exception {
        open(true);

        assertThat(statusFor(trusting(alice))).isEqualTo(200);
        assertThatThrownBy(() -> statusFor(trusting(null))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> statusFor(trusting(mallory))).isInstanceOf(IOException.class);

        awaitValue(() -> refused("tls_handshake"), 2);
        assertThat(api.engine.wasAsked()).isFalse();
    }

    @Test
    void theSubjectOfTheCertificateIsTheActorOfAuditRecords() throws Exception {
        open(true);
        try (SSLSocket socket = connect(trusting(alice))) {
            TestApi.write(socket,
                    "POST /api/v1/resources/queues/q/pause HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2"
                            + "\r\n\r\n{}");
            assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 200");
        }
        assertThat(api.operatorCalls.getLast().arguments()).anyMatch("CN=alice"::equals);
    }

    @Test
    void withoutTheSettingNoCertificateIsNeeded() throws Exception {
        open(false);

        assertThat(statusFor(trusting(null))).isEqualTo(200);
    }

    @Test
    void aHandshakeThatDoesNotEndIsCutOff() throws Exception {
        api = TestApi.with(settings(Map.of()), limits(10, Duration.ofMillis(200)));
        try (Socket silent = api.socket(); Socket half = api.socket()) {
            half.getOutputStream().write(new byte[]{22, 3, 1});
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
            assertThat(half.getInputStream().read()).isEqualTo(-1);
        }
        awaitValue(() -> refused("tls_handshake"), 2);
    }

    @Test
    void connectionsCountBeforeTheirHandshake() throws Exception {
        api = TestApi.with(settings(Map.of()), limits(2, Duration.ofMinutes(5)));
        try (Socket first = api.socket(); Socket second = api.socket(); Socket third = api.socket()) {
            assertThat(third.getInputStream().read()).isEqualTo(-1);
            assertThat(first.isConnected() && second.isConnected()).isTrue();
            awaitRefused("connections", 1);
        }
        // When they are closed, new connections are accepted.
        while (!isServed(trusting(null))) {
            Thread.sleep(20);
        }
    }

    private static HttpConfig.Limits limits(int connections, Duration firstRequest) {
        HttpConfig.Limits usual = TestApi.LIMITS;
        return new HttpConfig.Limits(usual.bodyBytesMax(), usual.requestBytesMax(), usual.bodyWait(),
                usual.headTimeout(), usual.bodyTimeout(), usual.writeTimeout(),
                new HttpConfig.ConnectionLimits(connections, connections, firstRequest));
    }

    private void awaitRefused(String reason, int count) {
        Await.until(() -> "refused for " + reason + ": " + refused(reason), () -> refused(reason) == count);
    }

    private double refused(String reason) {
        return api.meters.get("queen.refused").tag("reason", reason).counter().count();
    }

    @Test
    void aNewCertificateIsUsedForNewConnectionsAndOpenOnesStay() throws Exception {
        open(true);
        try (SSLSocket before = connect(trusting(alice))) {
            assertThat(serverName(before)).isEqualTo("CN=first");

            replace("cert.pem", second.certificate());
            replace("key.pem", second.key());

            awaitServerName("CN=second");
            TestApi.write(before, HEALTH);
            assertThat(TestApi.readHead(before)).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void aNewAuthorityIsUsed() throws Exception {
        open(true);
        assertThatThrownBy(() -> statusFor(trusting(mallory))).isInstanceOf(IOException.class);

        replace("ca.pem", theirs.certificate());

        SSLContext accepted = trusting(mallory);
        while (!isServed(accepted)) {
            Thread.sleep(20);
        }
        assertThatThrownBy(() -> statusFor(trusting(alice))).isInstanceOf(IOException.class);
    }

    /** Each wrong state lasts for some comparisons. The certificate in use must not change. */
    @Test
    void unusableFilesHaveNoEffect() throws Exception {
        open(true);
        Files.writeString(folder.resolve("cert.pem"), "nonsense");
        assertKept("CN=first");
        replace("cert.pem", second.certificate());
        // The key is still that of the first certificate.
        assertKept("CN=first");
        Files.delete(folder.resolve("key.pem"));
        assertKept("CN=first");
        Files.writeString(folder.resolve("ca.pem"), "nonsense");
        assertKept("CN=first");

        replace("ca.pem", ours.certificate());
        replace("key.pem", second.key());

        awaitServerName("CN=second");
    }

    @Test
    void aCertificateAndAKeyThatDoNotMatchStopTheStart() throws Exception {
        replace("key.pem", second.key());

        assertThatThrownBy(() -> open(false))
                .hasMessageContaining("TLS_KEY cannot be used: they do not belong together");
    }

    @Test
    void anAuthorityForClientsNeedsTls() {
        assertThatThrownBy(() -> ConfigReader.read(Map.of("TLS_CLIENT_CA", ours.certificate().toString())))
                .isInstanceOf(ConfigException.class).hasMessageContaining("TLS_CLIENT_CA needs TLS_CERT and TLS_KEY");
        assertThatThrownBy(() -> ConfigReader.read(settings(Map.of("TLS_CLIENT_CA", alice.key().toString()))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("TLS_CLIENT_CA must be a PEM file with a certificate");
    }

    @Test
    void aServerWithClientCertificatesIsNotOpen() {
        Map<String, String> open = settings(Map.of("HOST", "0.0.0.0"));
        assertThat(ConfigReader.read(open).http().exposure().isOpen()).isTrue();
        assertThat(
                ConfigReader.read(settings(Map.of("HOST", "0.0.0.0", "TLS_CLIENT_CA", ours.certificate().toString())))
                        .http().exposure().isOpen())
                .isFalse();
    }

    private void open(boolean hasClientCertificates) throws Exception {
        api = TestApi.with(settings(
                hasClientCertificates ? Map.of("TLS_CLIENT_CA", folder.resolve("ca.pem").toString()) : Map.of()));
    }

    private Map<String, String> settings(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("TLS_CERT", folder.resolve("cert.pem").toString());
        settings.put("TLS_KEY", folder.resolve("key.pem").toString());
        settings.put("TLS_RELOAD_INTERVAL_MS", "20");
        return settings;
    }

    /** Replaces a file in one step, as tools that renew certificates do. */
    private void replace(String name, Path content) throws IOException {
        Path fresh = Files.copy(content, folder.resolve(name + ".new"), StandardCopyOption.REPLACE_EXISTING);
        Files.move(fresh, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static SSLContext trusting(Issued client) {
        return TlsContexts.of(ours.certificate(), client);
    }

    private SSLSocket connect(SSLContext context) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", api.api.port());
        socket.setSoTimeout(60_000);
        socket.startHandshake();
        return socket;
    }

    /** With TLS 1.3 a client sees only at its first read that its certificate was rejected. */
    private int statusFor(SSLContext context) throws IOException {
        try (SSLSocket socket = connect(context)) {
            TestApi.write(socket, HEALTH);
            String head = TestApi.readHead(socket);
            if (head.isEmpty()) {
                throw new SSLException("closed without a response");
            }
            return Integer.parseInt(head.substring(9, 12));
        }
    }

    private boolean isServed(SSLContext context) {
        try {
            return statusFor(context) == 200;
        } catch (IOException _) {
            return false;
        }
    }

    private static String serverName(SSLSocket socket) throws IOException {
        return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSubjectX500Principal().getName();
    }

    private String serverName() throws IOException {
        try (SSLSocket socket = connect(trusting(alice))) {
            return serverName(socket);
        }
    }

    private void awaitServerName(String name) throws Exception {
        while (!serverName().equals(name)) {
            Thread.sleep(20);
        }
    }

    private void assertKept(String name) throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(serverName()).isEqualTo(name);
            Thread.sleep(20);
        }
    }

    private static void awaitValue(DoubleSupplier value, double wanted) {
        Await.until(() -> value.getAsDouble() >= wanted);
    }
}
