package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.WaitForSelectorState;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import org.junit.jupiter.api.Test;

/** The actions on stream queries have the described effect. */
@Needs(Program.CHROMIUM)
class StreamActionsTest {
    private final Board board = Board.shared();

    @Test
    void theStateOfAPartitionIsShownKeyByKey() {
        StreamQueries query = StreamQueries.create(board.queen(), "own-stream-1");
        try (Tab tab = Tab.of(board.url()).open("/queries/" + query.name())) {
            tab.page.getByText("b", new Page.GetByTextOptions().setExact(true)).click();
            tab.page.getByText("minute:2").waitFor();
            tab.shows(tab.page.locator("main"), "9007199254740995", "2025-10-09 08:55:20");

            tab.page.getByPlaceholder("Key prefix").fill("minute:1");
            tab.page.getByText("minute:2")
                    .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.DETACHED));
            tab.shows(tab.page.locator("main"), "minute:1");
        }
    }

    @Test
    void theStateOfAQueryIsReset() {
        StreamQueries query = StreamQueries.create(board.queen(), "own-stream-2");
        try (Tab tab = Tab.of(board.url()).open("/queries/" + query.name())) {
            tab.button("Reset").click();
            tab.shows(tab.ask(), "6 keys in 2 partitions will be deleted");
            tab.askButton("Delete the state").click();
            tab.showsNote("own-stream-2 has no state any more; it had 6 keys.");
        }
        assertThat(query.keys()).isZero();
    }

    @Test
    void aQueryIsDeleted() {
        StreamQueries query = StreamQueries.create(board.queen(), "own-stream-3");
        try (Tab tab = Tab.of(board.url()).open("/queries/" + query.name())) {
            tab.button("Delete").click();
            tab.askButton("Delete the query").click();
            tab.showsNote("own-stream-3 was deleted.");
        }
        assertThat(query.keys()).isNull();
    }
}
