package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.embedded.EmbeddedPostgres;
import io.queenmq.server.Server;
import io.queenmq.server.StartException;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.postgres.SessionOptions;
import io.queenmq.testkit.CertificateAuthority;
import io.queenmq.testkit.PatientSettings;
import io.queenmq.testkit.PostgresPrograms;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import io.queenmq.testkit.TestShards;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS to a PostgreSQL that accepts encrypted connections only. Its certificate names localhost, and no address. */
class PostgresTlsTest {
    private static final String ACCESS = """
            hostssl all by_certificate 127.0.0.1/32 cert
            hostssl all all            127.0.0.1/32 scram-sha-256
            """;

    @TempDir
    static Path folder;

    private static EmbeddedPostgres postgres;
    private static CertificateAuthority authority;

    @BeforeAll
    static void startPostgres() throws Exception {
        authority = CertificateAuthority.create(folder, "trusted");
        postgres = EmbeddedPostgres.start(PostgresPrograms.linkInto(Path.of("target", "tls-postgres")),
                Map.of("fsync", "off"));
        Path data = Path.of("target", "tls-postgres", "pgdata");
        var issued = authority.issue("localhost", "dns:localhost");
        install(issued.certificate(), data.resolve("server.crt"));
        install(issued.key(), data.resolve("server.key"));
        install(authority.certificate(), data.resolve("root.crt"));
        try (Connection connection = connect("disable")) {
            execute(connection, "drop role if exists by_certificate");
            execute(connection, "create role by_certificate login superuser");
            execute(connection, "alter system set ssl_ca_file = 'root.crt'");
            execute(connection, "alter system set ssl = on");
        }
        install(Files.writeString(folder.resolve("pg_hba.conf"), ACCESS), data.resolve("pg_hba.conf"));
        postgres.close();
        postgres = EmbeddedPostgres.start(Path.of("target", "tls-postgres"), Map.of("fsync", "off"));
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        try (Connection connection = connect("require")) {
            execute(connection, "alter system reset all");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        Files.writeString(Path.of("target", "tls-postgres", "pgdata", "pg_hba.conf"),
                "host all all 127.0.0.1/32 scram-sha-256\n");
        postgres.close();
    }

    @Test
    void everyKindOfSessionIsEncryptedAndVerified() throws Exception {
        try (Server server = start("localhost",
                Map.of("PG_SSLMODE", "verify-full", "PG_SSLROOTCERT", authority.certificate().toString()));
                Connection connection = connect("require")) {
            QueenClient client = new QueenClient(server.url());
            client.push("q", "p", List.of("1"));
            assertThat(client.get("/api/v1/resources/queues").status()).isEqualTo(200);

            long deadlineNs = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (!hasEveryKind(sessions(connection, "true")) && System.nanoTime() < deadlineNs) {
                Thread.sleep(100);
            }
            assertThat(hasEveryKind(sessions(connection, "true"))).as("%s", sessions(connection, "true")).isTrue();
            assertThat(sessions(connection, "false")).isEmpty();
        }
    }

    @Test
    void theFormerSettingsEncryptSessions() throws Exception {
        try (Server _ = start("127.0.0.1", Map.of("PG_USE_SSL", "true", "PG_SSL_REJECT_UNAUTHORIZED", "false"));
                Connection connection = connect("require")) {
            assertThat(sessions(connection, "true")).isNotEmpty();
            assertThat(sessions(connection, "false")).isEmpty();
        }
    }

    @Test
    void aCertificateOfAnotherAuthorityStopsTheStart() {
        String other = CertificateAuthority.create(folder, "other").certificate().toString();

        assertThatThrownBy(() -> start("localhost", Map.of("PG_USE_SSL", "true", "PG_SSLROOTCERT", other)))
                .isInstanceOf(StartException.class).hasMessageContaining("PKIX");
        assertThatThrownBy(() -> start("localhost", Map.of("PG_USE_SSL", "true")))
                .as("the JVM does not trust the authority").isInstanceOf(StartException.class)
                .hasMessageContaining("PKIX");
        assertThatThrownBy(() -> open("localhost", Map.of("PG_USE_SSL", "true", "PG_SSLROOTCERT", other)))
                .as("a session of the engine").hasMessageContaining("SSL handshake failed");
    }

    @Test
    void aCertificateOfAnotherNameStopsTheStartUnlessNamesAreNotVerified() {
        Map<String, String> full = Map.of("PG_USE_SSL", "true", "PG_SSLROOTCERT", authority.certificate().toString());

        assertThatThrownBy(() -> start("127.0.0.1", full)).isInstanceOf(StartException.class)
                .hasMessageContaining("127.0.0.1");
        assertThatThrownBy(() -> open("127.0.0.1", full)).as("a session of the engine")
                .hasMessageContaining("SSL handshake failed");
        start("127.0.0.1", Map.of("PG_SSLMODE", "verify-ca", "PG_SSLROOTCERT", authority.certificate().toString()))
                .close();
    }

    @Test
    void aClientCertificateAuthenticatesTheServer() {
        var issued = authority.issue("by_certificate");
        Map<String, String> settings = new HashMap<>(Map.of("PG_SSLMODE", "verify-full", "PG_SSLROOTCERT",
                authority.certificate().toString(), "PG_USER", "by_certificate"));
        assertThatThrownBy(() -> start("localhost", settings)).isInstanceOf(StartException.class)
                .hasMessageContaining("certificate");

        settings.put("PG_SSLCERT", issued.certificate().toString());
        settings.put("PG_SSLKEY", issued.key().toString());
        start("localhost", settings).close();
    }

    @Test
    void aServerWithoutTlsIsRejectedByPostgres() {
        assertThatThrownBy(() -> start("localhost", Map.of())).isInstanceOf(StartException.class)
                .hasMessageContaining("no encryption");
    }

    @Test
    void aPostgresWithoutTlsStopsTheStartImmediately() {
        try (TestDatabase plain = TestPostgres.shared().createDatabase()) {
            Map<String, String> settings = settings(plain.host(), plain.port(), plain.password());
            settings.putAll(Map.of("PG_DB", plain.name(), "PG_USER", plain.user(), "PG_SSLMODE", "require"));
            assertThatThrownBy(() -> Server.start(ConfigReader.read(settings))).isInstanceOf(StartException.class)
                    .hasMessageContaining("does not support SSL");
        }
    }

    private static Server start(String host, Map<String, String> tls) {
        Map<String, String> settings = settings(host, postgres.port(), postgres.password());
        settings.putAll(tls);
        return Server.start(ConfigReader.read(settings));
    }

    /** Opens a session like the engine, without the check at the start of a server. */
    private static void open(String host, Map<String, String> tls) throws Exception {
        Map<String, String> settings = settings(host, postgres.port(), postgres.password());
        settings.putAll(tls);
        Vertx vertx = Vertx.vertx();
        try {
            PgConnection.connect(vertx, SessionOptions.forOperators(ConfigReader.read(settings).storage().database()))
                    .await(30, TimeUnit.SECONDS).close().await();
        } finally {
            vertx.close().await();
        }
    }

    private static Map<String, String> settings(String host, int port, String password) {
        Map<String, String> settings = new HashMap<>(PatientSettings.ALL);
        settings.putAll(Map.of("PORT", "0", "HOST", "127.0.0.1", "NUM_WORKERS", "1", "PG_HOST", host, "PG_PORT",
                Integer.toString(port), "PG_USER", "postgres", "PG_PASSWORD", password, "SPOOL_ENABLED", "false",
                "QUEEN_SHARDS", Integer.toString(TestShards.COUNT)));
        return settings;
    }

    /** Operators, upkeep and announcements have sessions of their own, beside those of the engine. */
    private static boolean hasEveryKind(List<String> queries) {
        return queries.size() > 10 && queries.stream().anyMatch(query -> query.toLowerCase().contains("listen"))
                && queries.stream().anyMatch(query -> query.contains("list_queues"));
    }

    /** Returns the last query of each session of a server, of those that are encrypted or of those that are not. */
    private static List<String> sessions(Connection connection, String isEncrypted) throws SQLException {
        List<String> queries = new ArrayList<>();
        try (ResultSet rows = connection.createStatement().executeQuery("""
                select a.query from pg_stat_activity a join pg_stat_ssl s using (pid)
                where s.ssl = %s and a.application_name = 'queen'""".formatted(isEncrypted))) {
            while (rows.next()) {
                queries.add(rows.getString(1));
            }
        }
        return queries;
    }

    private static Connection connect(String mode) throws SQLException {
        Properties properties = new Properties();
        properties.putAll(Map.of("user", postgres.user(), "password", postgres.password(), "sslmode", mode));
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + postgres.port() + "/postgres", properties);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** PostgreSQL accepts a private key only if it is owned by its user and hidden from others. */
    private static void install(Path source, Path target) throws IOException {
        Files.write(target, Files.readAllBytes(source));
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-------"));
        Files.setOwner(target, Files.getOwner(target.getParent()));
    }
}
