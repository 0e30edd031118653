package io.queenmq.dashboard.tests;

import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages of an empty server name the next step. */
@Needs(Program.CHROMIUM)
class EmptyPagesTest {
    private static Board board;

    @BeforeAll
    static void start() {
        board = Board.with(Map.of());
    }

    @AfterAll
    static void stop() {
        board.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"/ | First steps | Push a message",
        "/queues | No queues yet. | Push a message", "/messages | No message matches. | Increase the time range",
        "/groups | No groups yet. | A group appears with its first pop",
        "/queries | No stream queries yet. | POST /streams/v1/queries",
        "/dead-letters | No dead letters. | after its last failed attempt",
        "/traces | No named traces yet. | POST /api/v1/traces", "/system | No changes. | Changes by operators",})
    void anEmptyPageNamesTheNextStep(String path, String title, String advice) {
        try (Tab tab = Tab.of(board.url()).open(path)) {
            tab.page.getByText(title).first().waitFor();
            tab.shows(tab.page.locator("main"), advice);
        }
    }
}
