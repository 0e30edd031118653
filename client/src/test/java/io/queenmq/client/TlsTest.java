package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.error.UnavailableException;
import io.queenmq.testkit.CertificateAuthority;
import io.queenmq.testkit.CertificateAuthority.Issued;
import io.queenmq.testkit.TlsContexts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** HTTPS with private certificates. A failed handshake is reported with the outcome that nothing was executed. */
@Timeout(120)
class TlsTest {
    private static final Path FOLDER = folder();
    private static final CertificateAuthority OURS = CertificateAuthority.create(FOLDER, "ours");
    private static final CertificateAuthority THEIRS = CertificateAuthority.create(FOLDER, "theirs");
    private static final Issued SERVER = OURS.issue("server", "ip:127.0.0.1");
    private static final Issued ALICE = OURS.issue("alice");

    @RegisterExtension
    static final TestServer server = new TestServer(Map.of("TLS_CERT", SERVER.certificate().toString(), "TLS_KEY",
            SERVER.key().toString(), "TLS_CLIENT_CA", OURS.certificate().toString()));

    private final String url = "https://127.0.0.1:" + server.port();
    private final String queue = TestServer.newQueue();

    @Test
    void aClientWithItsCertificateIsAccepted() {
        try (Queen queen = client(url, TlsContexts.of(OURS.certificate(), ALICE))) {
            queen.queue(queue, String.class).push("hello");

            assertThat(queen.queue(queue, String.class).group("g").pop().deliveries().getFirst().value())
                    .isEqualTo("hello");
        }
    }

    /** The default time for retries is half a minute; a certificate does not change in it. */
    @Test
    void anUntrustedServerFailsAtOnceWithAKnownOutcome() {
        try (Queen queen = client(url, TlsContexts.of(THEIRS.certificate(), ALICE))) {
            assertRejected(queen, "TLS handshake failed: ");
        }
        try (Queen queen = client(url, null)) {
            assertRejected(queen, "TLS handshake failed: ");
        }
    }

    @Test
    void aCertificateForAnotherNameIsNotAccepted() {
        try (Queen queen = client("https://localhost:" + server.port(), TlsContexts.of(OURS.certificate(), ALICE))) {
            assertRejected(queen, "TLS handshake failed: ");
        }
    }

    @Test
    void aServerWithoutTlsIsNamed() throws IOException {
        try (ServerSocket plain = plainServer();
                Queen queen = client("https://127.0.0.1:" + plain.getLocalPort(),
                        TlsContexts.of(OURS.certificate(), ALICE))) {
            assertRejected(queen, "the server does not use TLS");
        }
    }

    /** Another server may be the right one. */
    @Test
    void theNextServerIsUsedAfterAFailedHandshake() throws IOException {
        try (ServerSocket plain = plainServer();
                Queen queen = Queen.builder().urls(List.of("https://127.0.0.1:" + plain.getLocalPort(), url))
                        .sslContext(TlsContexts.of(OURS.certificate(), ALICE)).build()) {
            for (int i = 0; i < 5; i++) {
                queen.queue(queue, String.class).partition("partition-" + i).push("hello");
            }
        }
    }

    /** TLS 1.2: the server rejects the missing certificate before the handshake ends, so that no request can be under way. */
    @Test
    void aMissingClientCertificateIsNamed() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        SSLContext accepting = TlsContexts.of(OURS.certificate(), SERVER);
        try (SSLServerSocket listener = (SSLServerSocket) accepting.getServerSocketFactory().createServerSocket(0)) {
            listener.setEnabledProtocols(new String[]{"TLSv1.2"});
            listener.setNeedClientAuth(true);
            Thread.ofVirtual().start(() -> {
                while (!listener.isClosed()) {
                    try (SSLSocket socket = (SSLSocket) listener.accept()) {
                        socket.getInputStream().read();
                        requests.incrementAndGet();
                    } catch (IOException _) {
                        // The handshake failed.
                    }
                }
            });
            try (Queen queen = client("https://127.0.0.1:" + listener.getLocalPort(),
                    TlsContexts.of(OURS.certificate(), null))) {
                assertRejected(queen, "TLS handshake failed: ");
            }
        }
        assertThat(requests).hasValue(0);
    }

    /** Returns a server that answers 400 to everything, as HTTP servers do when they read the first bytes of TLS. */
    private static ServerSocket plainServer() throws IOException {
        ServerSocket listener = new ServerSocket(0);
        Thread.ofVirtual().start(() -> {
            while (!listener.isClosed()) {
                try (Socket socket = listener.accept()) {
                    socket.getInputStream().read(new byte[8192]);
                    socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes());
                } catch (IOException _) {
                    // The client has closed the connection.
                }
            }
        });
        return listener;
    }

    private void assertRejected(Queen queen, String reason) {
        assertThatThrownBy(() -> queen.queue(queue, String.class).push("never"))
                .isInstanceOf(UnavailableException.class).hasMessageContaining(reason);
        assertThat(server.stored(queue, "Default")).isEmpty();
    }

    private static Queen client(String url, SSLContext context) {
        return Queen.builder().url(url).sslContext(context).retryFor(Duration.ofHours(1)).build();
    }

    private static Path folder() {
        try {
            Path folder = Files.createTempDirectory("queen-tls");
            folder.toFile().deleteOnExit();
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
