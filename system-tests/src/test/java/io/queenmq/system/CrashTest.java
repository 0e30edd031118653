package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import io.queenmq.testkit.QueenClient.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A crash under load of a server with embedded PostgreSQL, or of this PostgreSQL. */
class CrashTest {
    private static final Path POSTGRES = QueenProcess.DATA.resolve("postgres");
    private static final Map<String, String> SETTINGS = Map.of("QUEEN_DATA", QueenProcess.DATA.toString(),
            "DB_UNAVAILABLE_AFTER_MS", "500");

    private final AtomicReference<QueenProcess> queen = new AtomicReference<>();

    @AfterEach
    void end() {
        if (queen.get() != null) {
            queen.get().close();
        }
        QueenProcess.awaitNoPostgresIn(POSTGRES);
    }

    @Test
    void nothingAcceptedIsLostWhenTheServerIsKilled() {
        queen.set(QueenProcess.start(SETTINGS));
        try (Load load = Load.start(() -> queen.get().client())) {
            for (int crash = 0; crash < 2; crash++) {
                load.awaitAccepted(500);
                queen.get().killHard();
                QueenProcess.awaitNoPostgresIn(POSTGRES);
                queen.set(QueenProcess.start(SETTINGS));
            }
            load.awaitAccepted(500);
            load.settleAndVerify();
        }
    }

    /** After three restarts the server ends. The next server continues. */
    @Test
    void serverStartsItsPostgresAgainWhenThatIsKilledAndProducersDoNotNotice() {
        queen.set(QueenProcess.start(SETTINGS));
        try (Load load = Load.start(() -> queen.get().client())) {
            for (int crash = 0; crash < 3; crash++) {
                load.awaitAccepted(500);
                int before = load.bufferedCount();
                QueenProcess.postgresOf(POSTGRES).forEach(ProcessHandle::destroyForcibly);
                Await.until("pushes go to the spool", () -> load.bufferedCount() > before);
                awaitPostgresBack();
            }
            QueenProcess.postgresOf(POSTGRES).forEach(ProcessHandle::destroyForcibly);
            assertThat(queen.get().awaitEnd()).isEqualTo(1);
            assertThat(queen.get().output())
                    .anyMatch(line -> line.contains("server stopping: PostgreSQL ended by itself"));
            queen.set(QueenProcess.start(SETTINGS));
            load.awaitAccepted(500);
            load.settleAndVerify();
        }
    }

    /** PostgreSQL recovers from the crash of one of its processes after closing all connections. */
    @Test
    void serverStaysWhenOnlyAConnectionOfPostgresIsKilled() {
        queen.set(QueenProcess.start(SETTINGS));
        try (Load load = Load.start(() -> queen.get().client())) {
            for (int crash = 0; crash < 2; crash++) {
                load.awaitAccepted(500);
                Await.until("a connection of PostgreSQL is killed", CrashTest::killConnection);
                awaitPostgresBack();
            }
            load.awaitAccepted(500);
            load.settleAndVerify();
            assertThat(queen.get().isAlive()).isTrue();
        }
    }

    /** Right after a crash there may be none, since pushes are also accepted by the spool. */
    private static boolean killConnection() {
        return QueenProcess.postgresOf(POSTGRES).stream()
                .filter(each -> commandOf(each).matches("(?s)postgres: .* 127\\.0\\.0\\.1.*")).findFirst()
                .map(ProcessHandle::destroyForcibly).orElse(false);
    }

    private void awaitPostgresBack() {
        AtomicReference<Answer> last = new AtomicReference<>();
        Await.until(() -> "PostgreSQL is back and the spool is empty; /health: " + last.get() + "\n"
                + String.join("\n", queen.get().output()), () -> {
                    Answer health = queen.get().client().get("/health");
                    last.set(health);
                    return health.status() == 200 && health.body().at("/spool/pending").asInt() == 0;
                });
    }

    private static String commandOf(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
        } catch (IOException _) {
            return "";
        }
    }
}
