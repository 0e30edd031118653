package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Names and payloads are shown as text: scripts in them are not executed, markup is not rendered. */
@Needs(Program.CHROMIUM)
class NamesTest {
    private final Board board = Board.shared();

    @Test
    void aQueueThatIsMarkupIsListedAndOpenedByItsName() {
        try (Tab tab = Tab.of(board.url())) {
            tab.open("/queues");
            tab.page.locator("td a.name", new Page.LocatorOptions().setHasText(Shop.NASTY_QUEUE)).click();
            tab.settled();
            tab.shows(tab.page.locator("h1"), Shop.NASTY_QUEUE);
            tab.page.locator(".tabs").getByText("Partitions").click();
            tab.page.getByText(Shop.NASTY_PARTITION, new Page.GetByTextOptions().setExact(true)).click();
            tab.page.locator(".log").getByText(Shop.NASTY_MESSAGE).click();
            tab.page.locator(".json").waitFor();
            tab.shows(tab.page.locator(".json"), "<script>alert('payload')</script>", "<i>key</i>");
            tab.shows(tab.page.locator("main"), "<u>group</u>", "<script>alert('error')</script>");
            nothingOfItIsMarkup(tab);
        }
    }

    @Test
    void groupsAndDeadLettersAreTextToo() {
        try (Tab tab = Tab.of(board.url())) {
            tab.open("/groups");
            tab.page.getByText("<u>group</u>", new Page.GetByTextOptions().setExact(true)).click();
            tab.settled();
            tab.shows(tab.page.locator("h1"), "<u>group</u>");
            nothingOfItIsMarkup(tab);
        }
    }

    @Test
    void largeNumbersInPayloadsStayExact() {
        try (Tab tab = Tab.of(board.url())) {
            tab.open("/messages/" + PagesTest.partition(board, Shop.STUCK_PARTITION) + "/order-42-next");
            tab.page.locator(".json").waitFor();
            String number = board.queen()
                    .get("/api/v1/messages/" + PagesTest.partition(board, Shop.STUCK_PARTITION) + "/order-42-next")
                    .body().get("payload").get("number").asText();
            tab.shows(tab.page.locator(".json"), number);
        }
    }

    /** Older servers accepted such names. A browser would send the request to a shorter path. */
    @Test
    void noRequestIsSentForANameThatABrowserRemovesFromThePath() {
        try (Tab tab = Tab.of(board.url())) {
            tab.open("/groups");
            for (String name : List.of(".", "..")) {
                Object error = tab.page.evaluate("""
                        async name => {
                          const { call } = await import(
                            performance.getEntriesByType('resource').map(e => e.name).find(n => n.includes('/core/api.js')));
                          try {
                            await call('deleteGroupOnQueue', { group: 'g', queue: name });
                            return 'sent';
                          } catch (error) {
                            return error.message;
                          }
                        }""", name);
                assertThat(error).asString().contains("cannot address the name \"" + name + "\"");
            }
        }
    }

    private static void nothingOfItIsMarkup(Tab tab) {
        assertThat(tab.page.locator("main img, main script, main u, main i:not(.mark):not([class]):has-text('key')")
                .count()).isZero();
        assertThat(tab.errors()).isEmpty();
    }
}
