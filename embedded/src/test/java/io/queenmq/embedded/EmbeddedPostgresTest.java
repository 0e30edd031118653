package io.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Shared by all tests, because only the first start of a home directory is slow. */
class EmbeddedPostgresTest {
    private static final Path HOME = Path.of("target/embedded-home").toAbsolutePath();

    @Test
    void answersQueries() throws Exception {
        try (var postgres = EmbeddedPostgres.start(HOME)) {
            assertThat(Client.of(postgres).ask("show server_version")).startsWith("18.");
            assertThat(Client.of(postgres).ask("show server_encoding")).isEqualTo("UTF8");
            assertThat(Client.of(postgres).ask("show data_checksums")).isEqualTo("on");
            assertThat(Client.of(postgres).ask("show log_timezone")).isEqualTo("UTC");
            assertThat(ProcessHandle.of(postgres.pid())).isPresent();
        }
    }

    @Test
    void commitsAreDurable() throws Exception {
        try (var postgres = EmbeddedPostgres.start(HOME)) {
            assertThat(Client.of(postgres).ask("show fsync")).isEqualTo("on");
            assertThat(Client.of(postgres).ask("show synchronous_commit")).isEqualTo("on");
            assertThat(Client.of(postgres).ask("show full_page_writes")).isEqualTo("on");
        }
    }

    @Test
    void settingsOfTheCallerTakePrecedence() throws Exception {
        try (var postgres = EmbeddedPostgres.start(HOME, Map.of("max_connections", "23"))) {
            assertThat(Client.of(postgres).ask("show max_connections")).isEqualTo("23");
        }
    }

    @Test
    void dataAndPasswordSurviveARestart() throws Exception {
        Client before;
        try (var postgres = EmbeddedPostgres.start(HOME)) {
            before = Client.of(postgres);
            before.execute("create table if not exists kept as select 'still here' as text");
        }
        try (var postgres = EmbeddedPostgres.start(HOME)) {
            assertThat(Client.of(postgres).ask("select text from kept")).isEqualTo("still here");
            assertThat(postgres.password()).isEqualTo(before.password());
        }
    }

    @Test
    void aKilledServerRestartsOnItsPortWithItsData() throws Exception {
        try (var postgres = EmbeddedPostgres.start(HOME)) {
            int port = postgres.port();
            Client.of(postgres).execute("create table if not exists survived as select 'still here' as text");
            var restarted = new CompletableFuture<Void>();
            postgres.onLoss(() -> {
                try {
                    postgres.restart();
                    restarted.complete(null);
                } catch (RuntimeException e) {
                    restarted.completeExceptionally(e);
                }
            });
            ProcessHandle.of(postgres.pid()).orElseThrow().destroyForcibly();
            restarted.get(2, TimeUnit.MINUTES);
            assertThat(postgres.port()).isEqualTo(port);
            assertThat(Client.of(postgres).ask("select text from survived")).isEqualTo("still here");
        }
    }

    @Test
    void otherProcessesFindARunningServer() throws Exception {
        try (var postgres = EmbeddedPostgres.start(HOME)) {
            assertThat(RunningPostgres.find(HOME)).contains(new RunningPostgres(postgres.pid(), postgres.host(),
                    postgres.port(), postgres.database(), postgres.user(), postgres.password()));
        }
        assertThat(RunningPostgres.find(HOME)).isEmpty();
    }

    @Test
    void aPasswordIsRequiredAndReadableByItsOwnerOnly() throws Exception {
        try (var postgres = EmbeddedPostgres.start(HOME)) {
            var stranger = new Client(Client.of(postgres).url(), postgres.user(), "guess");
            assertThatThrownBy(() -> stranger.ask("select 1")).isInstanceOf(SQLException.class)
                    .hasMessageContaining("password authentication failed");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(HOME.resolve("password"))))
                    .isEqualTo("rw-------");
            assertThat(HOME.resolve("password.initdb")).doesNotExist();
        }
    }

    @Test
    void closingEndsItDespiteOpenConnectionsAndMayBeRepeated() throws Exception {
        var postgres = EmbeddedPostgres.start(HOME);
        var process = ProcessHandle.of(postgres.pid()).orElseThrow();
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(postgres.host(), postgres.port()));
            postgres.close();
        }
        assertThat(process.isAlive()).isFalse();
        postgres.close();
    }

    @Test
    void secondServerOnTheSameHomeIsRefused() throws Exception {
        try (var postgres = EmbeddedPostgres.start(HOME)) {
            assertThatThrownBy(() -> EmbeddedPostgres.start(HOME)).isInstanceOf(EmbeddedPostgresException.class)
                    .hasMessageContaining("in use by another Queen server").hasMessageContaining("QUEEN_DATA");
            assertThat(Client.of(postgres).ask("select 'unharmed'")).isEqualTo("unharmed");
        }
    }

    @Test
    void aFailedStartShowsTheLogOfPostgresAndUnlocksTheHome() throws Exception {
        assertThatThrownBy(() -> EmbeddedPostgres.start(HOME, Map.of("max_connections", "banana")))
                .isInstanceOf(EmbeddedPostgresException.class)
                .hasMessageContaining("invalid value for parameter \"max_connections\"");
        try (var postgres = EmbeddedPostgres.start(HOME)) {
            assertThat(Client.of(postgres).ask("select 1")).isEqualTo("1");
        }
    }

    @Test
    void aLostPasswordIsReported() throws Exception {
        EmbeddedPostgres.start(HOME).close();
        var file = HOME.resolve("password");
        var aside = HOME.resolve("password.aside");
        Files.move(file, aside);
        try {
            assertThatThrownBy(() -> EmbeddedPostgres.start(HOME)).hasMessageContaining(file + " is missing");
        } finally {
            Files.move(aside, file);
        }
    }
}
