package io.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OrphanTest {
    private static final Path HOME = Path.of("target/orphan-home").toAbsolutePath();

    /** Other systems end the orphan at the next start. */
    private static final boolean CAN_FOLLOW_ITS_PARENT = Files.exists(Path.of("/usr/bin/setpriv"));

    @Test
    void aKilledServerEndsItsPostgresAndKeepsItsData() throws Exception {
        var server = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), StartAndWait.class.getName(), HOME.toString())
                .redirectErrorStream(true).start();
        try (var output = server.inputReader()) {
            var started = output.lines().filter(line -> line.startsWith("started")).findFirst().orElseThrow()
                    .split(" ");
            var orphan = ProcessHandle.of(Long.parseLong(started[2])).orElseThrow();
            var password = Files.readString(HOME.resolve("password")).strip();
            var client = new Client("jdbc:postgresql://127.0.0.1:" + started[1] + "/postgres", "postgres", password);
            client.execute("create table if not exists survivor as select 'committed' as text");
            assertThatThrownBy(() -> EmbeddedPostgres.start(HOME)).hasMessageContaining("in use by another");

            server.destroyForcibly().waitFor();
            if (CAN_FOLLOW_ITS_PARENT) {
                orphan.onExit().get(60, TimeUnit.SECONDS);
            }

            try (var postgres = EmbeddedPostgres.start(HOME)) {
                assertThat(postgres.pid()).isNotEqualTo(orphan.pid());
                assertThat(Client.of(postgres).ask("select text from survivor")).isEqualTo("committed");
                assertThat(orphan.isAlive()).isFalse();
            }
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    void postgresWithoutOwnerIsReplacedAndNotJoined() throws Exception {
        EmbeddedPostgres.start(HOME).close();
        var binaries = Binaries.unpackInto(HOME);
        var data = new DataDirectory(HOME.resolve("pgdata"));
        var orphan = Postmaster.start(binaries, data, RunAsChoice.choose(binaries, data),
                Map.of("max_connections", "23"), HOME.resolve("postgresql.log"));
        try (var postgres = EmbeddedPostgres.start(HOME)) {
            assertThat(orphan.process().isAlive()).isFalse();
            assertThat(Client.of(postgres).ask("show max_connections")).isEqualTo("400");
        }
    }

    @Test
    void processIdThatNowBelongsToAnotherProgramIsNoObstacle() throws Exception {
        EmbeddedPostgres.start(HOME).close();
        var other = new ProcessBuilder("sleep", "600").start();
        try {
            var lines = "%d\n%s\n0\n0\n\n127.0.0.1\n0 0\nready\n".formatted(other.pid(), HOME.resolve("pgdata"));
            Files.writeString(HOME.resolve("pgdata/postmaster.pid"), lines);
            try (var postgres = EmbeddedPostgres.start(HOME)) {
                assertThat(Client.of(postgres).ask("select 1")).isEqualTo("1");
                assertThat(other.isAlive()).isTrue();
            }
        } finally {
            other.destroyForcibly();
        }
    }
}
