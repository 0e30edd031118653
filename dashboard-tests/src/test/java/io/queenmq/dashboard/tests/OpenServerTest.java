package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server without authentication on a public address shows a warning. */
@Needs(Program.CHROMIUM)
class OpenServerTest {
    private static final String WARNING = "tokens and API keys are off and HOST opens the port to the network";

    @Test
    void theWarningIsInHealthAndOnTheDashboard() {
        Board board = Board.with(Map.of("HOST", "0.0.0.0"));
        try (Tab tab = Tab.of(board.url()).open("/system")) {
            assertThat(board.queen().get("/health").body().get("warnings").toString()).contains(WARNING);
            tab.page.locator("main").getByText(WARNING).waitFor();
            tab.page.locator("ui-health").getByText("1 warning").waitFor();
        } finally {
            board.close();
        }
    }

    @Test
    void aServerOnLoopbackDoesNotWarn() {
        assertThat(Board.shared().queen().get("/health").body().get("warnings").toString()).doesNotContain(WARNING);
    }
}
