package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The actions on a message have the described effect. */
@Needs(Program.CHROMIUM)
class MessageActionsTest {
    private static final Page.GetByTextOptions EXACTLY = new Page.GetByTextOptions().setExact(true);

    private final Board board = Board.shared();

    @Test
    void aMessageIsDeletedForTheGroupsThatHaveNotReadIt() {
        Queues queue = Queues.create(board).filled(3).read(1, "completed");
        try (Tab tab = open(queue, "m-1")) {
            tab.button("Delete").click();
            tab.shows(tab.ask(), "m-1", "g will never receive it");
            tab.askButton("Delete the message").click();
            tab.showsNote("Message deleted.");
        }
        assertThat(queue.next()).isEqualTo("m-2");
    }

    @Test
    void aMessageIsDeadLetteredForAGroupAndRedriven() {
        Queues queue = Queues.create(board).filled(2).read(1, "completed");
        try (Tab tab = open(queue, "m-1")) {
            tab.button("Dead-letter").click();
            tab.page.getByLabel("Reason").fill("not wanted");
            tab.askButton("Dead-letter").click();
            tab.showsNote("Message dead-lettered.");
            assertThat(queue.deadLetters()).isEqualTo(1);
            tab.button("Redrive").click();
            tab.askButton("Redrive").click();
            tab.showsNote("The message will be redriven");
            tab.page.waitForCondition(() -> queue.deadLetters() == 0);
        }
        assertThat(queue.next()).isEqualTo("m-1");
    }

    @Test
    void aPayloadIsCopied() {
        Queues queue = Queues.create(board).filled(1);
        try (Tab tab = open(queue, "m-0")) {
            tab.page.locator(".json").hover();
            tab.page.locator(".json .copy").click();
            tab.showsNote("Copied.");
            assertThat(tab.page.evaluate("navigator.clipboard.readText()")).isEqualTo("\"m-0\"");
        }
    }

    @Test
    void headersAreShown() {
        Queues queue = Queues.create(board);
        queue.queen().post("/api/v1/push", Map.of("items", List.of(Map.of("queue", queue.name(), "partition", "a",
                "transactionId", "m-0", "payload", 1, "headers", Map.of("kind", "<b>order</b>")))));
        try (Tab tab = open(queue, "m-0")) {
            tab.page.getByText("<b>order</b>").waitFor();
            tab.counts(1, tab.page.getByText("Headers"));
            tab.open("/messages?search=<B>ORD&queue=" + queue.name());
            tab.page.getByText("1 header", EXACTLY).waitFor();
            assertThat(tab.page.getByText("1 header", EXACTLY).getAttribute("title")).isEqualTo("kind: <b>order</b>");
        }
    }

    private Tab open(Queues queue, String message) {
        return Tab.of(board.url()).open("/messages/" + queue.partitionId() + "/" + message);
    }
}
