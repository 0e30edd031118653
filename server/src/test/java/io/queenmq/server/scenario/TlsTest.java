package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.server.Server;
import io.queenmq.server.StartException;
import io.queenmq.server.config.ConfigException;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import io.queenmq.testkit.TestShards;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS with a certificate of the operator. */
class TlsTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    static Path folder;

    private static Path certificate;
    private static Path key;
    private static KeyStore store;

    @BeforeAll
    static void createCertificate() throws Exception {
        Path file = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", "queen", "-keyalg", "EC", "-dname", "CN=localhost", "-ext",
                "SAN=dns:localhost", "-keystore", file.toString(), "-storepass", PASSWORD, "-storetype", "PKCS12")
                .redirectErrorStream(true).start();
        assertThat(keytool.waitFor()).as(new String(keytool.getInputStream().readAllBytes())).isZero();
        store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
        certificate = pem("CERTIFICATE", store.getCertificate("queen").getEncoded());
        key = pem("PRIVATE KEY", store.getKey("queen", PASSWORD.toCharArray()).getEncoded());
    }

    @Test
    void theServerAcceptsOnlyHttps() throws Exception {
        try (TestDatabase database = TestPostgres.shared().createDatabase();
                Server server = start(database, certificate, key)) {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("queen", store.getCertificate("queen"));
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            HttpClient client = HttpClient.newBuilder().sslContext(context).build();

            assertThat(server.url()).startsWith("https://localhost:");
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create(server.url() + "/openapi.json")).build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("strict-transport-security")).isPresent();
            try (Socket plain = new Socket("127.0.0.1", server.port())) {
                plain.setSoTimeout(10_000);
                plain.getOutputStream().write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n".getBytes());
                assertThat(new String(plain.getInputStream().readAllBytes())).doesNotContain("healthy");
            }
        }
    }

    @Test
    void aCertificateNeedsItsKey() {
        assertThatThrownBy(() -> read(certificate.toString(), "")).isInstanceOf(ConfigException.class)
                .hasMessageContaining("TLS_CERT and TLS_KEY must be given together");
        assertThatThrownBy(() -> read("", key.toString())).isInstanceOf(ConfigException.class)
                .hasMessageContaining("TLS_CERT and TLS_KEY must be given together");
    }

    @Test
    void unreadableFilesAreNamed() {
        assertThatThrownBy(() -> read(folder.resolve("nowhere.pem").toString(), certificate.toString()))
                .isInstanceOf(ConfigException.class).hasMessageContaining("TLS_CERT cannot be read: ")
                .hasMessageContaining("nowhere.pem")
                .hasMessageContaining("TLS_KEY must be a PEM file with a private key");
    }

    @Test
    void invalidFilesStopTheStart() throws Exception {
        Path broken = pem("PRIVATE KEY", new byte[]{1, 2, 3});
        try (TestDatabase database = TestPostgres.shared().createDatabase()) {
            assertThatThrownBy(() -> start(database, certificate, broken)).isInstanceOf(StartException.class)
                    .hasMessageContaining("TLS_KEY cannot be used");
        }
    }

    private static Server start(TestDatabase database, Path certificate, Path key) {
        Map<String, String> variables = new HashMap<>(Map.of("PORT", "0", "HOST", "127.0.0.1", "NUM_WORKERS", "1",
                "PG_HOST", database.host(), "PG_PORT", Integer.toString(database.port()), "PG_DB", database.name(),
                "PG_USER", database.user(), "PG_PASSWORD", database.password()));
        variables.put("SPOOL_ENABLED", "false");
        variables.put("QUEEN_SHARDS", Integer.toString(TestShards.COUNT));
        variables.put("TLS_CERT", certificate.toString());
        variables.put("TLS_KEY", key.toString());
        return Server.start(ConfigReader.read(variables));
    }

    private static void read(String certificate, String key) {
        ConfigReader.read(Map.of("TLS_CERT", certificate, "TLS_KEY", key));
    }

    private static Path pem(String kind, byte[] bytes) throws Exception {
        Path file = Files.createTempFile(folder, "tls", ".pem");
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[]{'\n'}).encodeToString(bytes) + "\n-----END " + kind + "-----\n");
    }
}
