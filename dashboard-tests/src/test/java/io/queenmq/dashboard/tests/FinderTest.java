package io.queenmq.dashboard.tests;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.WaitForSelectorState;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The search finds queues, groups, partitions and messages, and shows its scope. */
@Needs(Program.CHROMIUM)
class FinderTest {
    private final Board board = Board.shared();

    @Test
    void aQueueIsJumpedTo() {
        try (Tab tab = open()) {
            tab.page.keyboard().type("shop.inv");
            tab.page.locator(".palette li[aria-selected=true]", having("shop.invoices")).waitFor();
            tab.page.keyboard().press("Enter");
            tab.page.waitForURL("**/queues/shop.invoices");
            closed(tab);
        }
    }

    @Test
    void enterWaitsForTheResultOfTheTypedText() {
        try (Tab tab = open()) {
            tab.page.keyboard().type("shop.inv");
            tab.page.keyboard().press("Enter");
            tab.page.waitForURL("**/queues/shop.invoices");
        }
    }

    @Test
    void aGroupIsJumpedTo() {
        try (Tab tab = open()) {
            tab.page.keyboard().type("analyt");
            tab.page.locator(".palette li", having("group")).getByText("analytics").click();
            tab.page.waitForURL("**/groups/analytics");
        }
    }

    @Test
    void aPartitionIsFoundByItsNameAndByItsId() {
        for (String typed : List.of(Shop.STUCK_PARTITION, PagesTest.partition(board, Shop.STUCK_PARTITION))) {
            try (Tab tab = open()) {
                tab.page.keyboard().type(typed);
                tab.page.locator(".palette li", having("shop.orders / " + Shop.STUCK_PARTITION)).click();
                tab.page.waitForURL("**/partitions/" + PagesTest.partition(board, Shop.STUCK_PARTITION));
            }
        }
    }

    @Test
    void aNewMessageIsJumpedTo() {
        Queues queue = Queues.create(board);
        queue.queen().push(queue.name(), "a", List.of("sought"));
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            tab.page.keyboard().press("/");
            tab.page.locator("dialog.palette").waitFor();
            tab.page.keyboard().type("sought");
            tab.page.locator(".palette li", having("message in " + queue.name() + "/a")).waitFor();
            tab.page.keyboard().press("Enter");
            tab.page.waitForURL("**/sought");
            tab.page.locator(".json").waitFor();
        }
    }

    @Test
    void anOldMessageIsFoundByAnIdThatContainsItsTime() {
        Instant made = Instant.now().minus(Duration.ofDays(3));
        String id = "%08x-%04x-7000-8000-%012x".formatted(made.toEpochMilli() >>> 16, made.toEpochMilli() & 0xffff,
                System.nanoTime());
        Queues queue = Queues.create(board);
        queue.queen().push(queue.name(), "a", List.of(id));
        age(queue);
        try (Tab tab = open()) {
            tab.page.keyboard().type(id);
            tab.page.locator(".palette li", having("message in " + queue.name() + "/a")).waitFor();
        }
    }

    @Test
    void anEmptyResultNamesTheSearchedScopeAndAPartitionExtendsIt() {
        Queues queue = Queues.create(board);
        queue.queen().push(queue.name(), "a", List.of("long-ago"));
        age(queue);
        try (Tab tab = open()) {
            tab.page.keyboard().type("long-ago");
            tab.page.locator(".palette .note").waitFor();
            tab.shows(tab.page.locator(".palette .note"), "newest 500 of the last 24 hours",
                    "on the page of their queue or partition");
            tab.page.keyboard().press("Enter");
            tab.page.waitForURL("**/messages?search=long-ago&range=24h");
            tab.page.getByText("No message matches.").waitFor();
            tab.shows(tab.page.locator("main"), "select the queue and partition");
            tab.page.getByLabel("Queue", exactly()).selectOption(queue.name());
            tab.page.getByLabel("Partition", exactly()).fill("a");
            tab.page.getByLabel("Partition", exactly()).press("Enter");
            tab.page.locator("td").getByText("long-ago").click();
            tab.page.locator(".json").waitFor();
        }
    }

    @Test
    void escapeClosesIt() {
        try (Tab tab = open()) {
            tab.page.keyboard().press("Escape");
            closed(tab);
        }
    }

    private Tab open() {
        Tab tab = Tab.of(board.url()).open("/queues");
        tab.page.keyboard().press("Control+k");
        tab.page.locator("dialog.palette").waitFor();
        return tab;
    }

    private static void closed(Tab tab) {
        tab.page.locator("dialog.palette").waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.HIDDEN));
    }

    /** Makes all messages of the queue three days older. */
    private void age(Queues queue) {
        board.database().everywhere("update segment s set created_at = s.created_at - interval '3 days' "
                + "from partition p, queen.queue q where p.id = s.partition_id and q.id = p.queue_id and q.name = ?",
                queue.name());
    }

    private static Page.LocatorOptions having(String text) {
        return new Page.LocatorOptions().setHasText(text);
    }

    private static Page.GetByLabelOptions exactly() {
        return new Page.GetByLabelOptions().setExact(true);
    }
}
