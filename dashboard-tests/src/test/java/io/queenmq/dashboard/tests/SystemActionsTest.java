package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The switches for everybody do what they say, on a server that nobody else uses. */
class SystemActionsTest {
    private static Board board;

    @BeforeAll
    static void start() {
        board = Board.with(Map.of());
    }

    @AfterAll
    static void stop() {
        board.close();
    }

    @Test
    void pushesAreSwitchedOffAndOnAndTheAuditTells() {
        try (Tab tab = Tab.of(board.url()).open("/system")) {
            tab.page.locator(".switches li").first().getByText("Switch off").click();
            assertThat(tab.ask().innerText()).contains("Every push to every queue");
            tab.askButton("Switch off").click();
            tab.told("Pushes are refused with 503.");
            assertThat(board.queen().push("q", "a", List.of("1")).status()).isEqualTo(503);
            tab.page.locator("td").getByText("maintenance").first().waitFor();
            tab.page.locator("nav").getByText("Overview").click();
            tab.page.getByText("Pushes are switched off").waitFor();
            tab.page.goBack();
            tab.page.locator(".switches li").first().getByText("Switch on").click();
            tab.told("Pushes are taken again.");
            assertThat(board.queen().push("q", "a", List.of("1")).isOk()).isTrue();
        }
    }

    @Test
    void aServerWithNothingInItSaysWhatToDo() {
        try (Tab tab = Tab.of(board.url())) {
            for (String[] page : new String[][]{{"/dead-letters", "There are no dead letters here."},
                {"/traces", "No trace has a name like that."},
                {"/groups", "Nobody has read anything yet."}}) {
                tab.open(page[0]);
                tab.page.getByText(page[1]).waitFor();
            }
        }
    }
}
