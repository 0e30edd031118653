package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The packaged command line in a terminal. */
@Needs(Program.TMUX)
class CommandLineTerminalTest {
    private static final String GREEN = "\u001b[32m";

    private static QueenProcess queen;
    private Terminal terminal;

    @BeforeAll
    static void startServer() {
        queen = QueenProcess.start(Map.of("QUEEN_DATA", QueenProcess.DATA.toString()));
    }

    @AfterAll
    static void stopServer() {
        queen.terminate();
        queen.awaitEnd();
        queen.close();
        QueenProcess.awaitNoPostgresIn(QueenProcess.DATA.resolve("postgres"));
    }

    @BeforeEach
    void openTerminal() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String jar = Path.of("../cli/target/queen.jar").toAbsolutePath().normalize().toString();
        terminal = new Terminal(Map.of("QUEEN_URL", queen.url(), "XDG_CONFIG_HOME", "/nowhere", "NO_COLOR", ""));
        terminal.type("queen() { " + java + " -XX:TieredStopAtLevel=1 -jar " + jar + " \"$@\"; }; clear");
        terminal.clear();
    }

    @AfterEach
    void closeTerminal() {
        terminal.close();
    }

    @Test
    void aTerminalHasColorsAndAPipeHasNone() {
        terminal.type("queen status; echo 'done'=$?");
        terminal.awaitScreen("done=0");
        assertThat(terminal.coloredScreen()).contains(GREEN + "healthy");

        terminal.clear();
        terminal.type("queen status | cat; echo 'done'=$?");
        terminal.awaitScreen("done=0");
        assertThat(terminal.screen()).contains("healthy");
        assertThat(terminal.coloredScreen()).doesNotContain(GREEN);

        terminal.clear();
        terminal.type("NO_COLOR=1 queen status; echo 'done'=$?");
        terminal.awaitScreen("done=0");
        assertThat(terminal.screen()).contains("healthy");
        assertThat(terminal.coloredScreen()).doesNotContain(GREEN);
    }

    @Test
    void destructiveCommandsAskForConfirmation() {
        queen.client().push("asked", "a", List.of("1"));
        terminal.type("queen queue delete asked; echo 'done'=$?");
        terminal.awaitScreen("Delete asked with its 1 messages and 0 dead letters? [y/N]");
        terminal.type("n");
        terminal.awaitScreen("done=1");
        assertThat(terminal.screen()).contains("queen: canceled; nothing was changed");

        terminal.clear();
        terminal.type("queen queue delete asked; echo 'done'=$?");
        terminal.awaitScreen("[y/N]");
        terminal.type("y");
        terminal.awaitScreen("done=0");
        assertThat(queen.client().get("/api/v1/resources/queues/asked").status()).isEqualTo(404);
    }

    @Test
    void tailFollowsUntilCtrlCAndLeavesNoGroup() {
        queen.client().push("followed", "a", List.of("before"));
        terminal.type("queen tail -f followed; echo 'done'=$?");
        terminal.awaitScreen("before");
        queen.client().push("followed", "b", List.of("after"));
        terminal.awaitScreen("\"after\"");
        Await.until("there is a group that follows", CommandLineTerminalTest::isAnyFollowing);

        terminal.pressCtrlC();

        terminal.awaitScreen("done=130");
        assertThat(terminal.screen()).doesNotContain("Exception", "queen:");
        Await.until("the group is deleted", () -> !isAnyFollowing());
    }

    /** Recounts the depths, because lists show sums that are counted periodically. */
    private static boolean isAnyFollowing() {
        queen.client().post("/api/v1/stats/refresh", Map.of());
        return queen.client().get("/api/v1/consumer-groups").body().toString().contains("tail-");
    }

    @Test
    void aRedriveShowsItsProgressAndContinuesAfterCtrlC() {
        queen.client().push("dead", "a", IntStream.range(0, 20).mapToObj(Integer::toString).toList());
        terminal.type("queen pop dead -n 20 -o ndjson | queen ack --file - --status dlq --error no;"
                + " queen dlq redrive dead --rate 1; echo 'done'=$?");
        terminal.awaitScreen("redriven ");

        terminal.pressCtrlC();

        terminal.awaitScreen("done=130");
        assertThat(terminal.screen()).contains(" of 20").doesNotContain("Exception", "queen:");
        int left = deadLetters();
        assertThat(left).isPositive();
        Await.until("the redrive continues", () -> deadLetters() < left);
    }

    private static int deadLetters() {
        return queen.client().get("/api/v1/dlq?queue=dead").body().path("total").asInt();
    }

    @Test
    void aPipeThatIsClosedEndsQuietly() {
        terminal.type("seq 5000 | queen push many; queen tail many -n 1000 | head -n 1; echo 'done'=$?");
        terminal.awaitScreen("done=0");

        assertThat(terminal.screen()).contains("pushed 5,000 messages").doesNotContain("Exception", "queen:");
    }
}
