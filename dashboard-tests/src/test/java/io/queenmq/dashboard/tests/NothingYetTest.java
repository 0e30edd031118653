package io.queenmq.dashboard.tests;

import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server with nothing in it says so, and what to do. */
@Needs(Program.CHROMIUM)
class NothingYetTest {
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
    @CsvSource(delimiter = '|', value = {
        "/ | All is well | create one on the page Queues",
        "/queues | There is no queue yet. | The first push creates one",
        "/messages | No message is like that. | Widen the range of time",
        "/groups | Nobody has read anything yet. | A group appears with its first pop",
        "/queries | There is no stream query yet. | POST /streams/v1/queries",
        "/dead-letters | There are no dead letters here. | when a group has given up on them",
        "/traces | No trace has a name yet. | POST /api/v1/traces",
        "/system | Nothing was changed. | Every change an operator makes",
    })
    void saysSoAndWhatToDo(String path, String title, String advice) {
        try (Tab tab = Tab.of(board.url()).open(path)) {
            tab.page.getByText(title).first().waitFor();
            tab.shows(tab.page.locator("main"), advice);
        }
    }
}
