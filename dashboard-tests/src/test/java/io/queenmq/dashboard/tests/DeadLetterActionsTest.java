package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The actions on dead letters have the described effect. */
@Needs(Program.CHROMIUM)
class DeadLetterActionsTest {
    private final Board board = Board.shared();

    @Test
    void allOfAnErrorAreRedrivenAfterADryRun() {
        Queues queue = Queues.create(board).filled(3).read(3, "failed");
        try (Tab tab = open(queue)) {
            tab.page.locator(".errors button").first().click();
            tab.page.waitForURL(url -> url.contains("error=it+broke"));
            tab.button("Redrive all").click();
            tab.ask().getByText("Dry run: 3 messages would be redriven.").waitFor();
            tab.page.getByLabel("Messages per second").fill("50");
            assertThat(queue.deadLetters()).as("a dry run changes nothing").isEqualTo(3);
            tab.askButton("Redrive").click();
            tab.showsNote("3 messages will be redriven.");
            tab.page.locator(".redrives li").filter(having(queue.name())).getByText("3 of 3").waitFor();
        }
        assertThat(queue.deadLetters()).isZero();
        assertThat(queue.next()).isEqualTo("m-0");
    }

    @Test
    void onlyTheChosenAreRedriven() {
        Queues queue = Queues.create(board).filled(3).read(3, "failed");
        try (Tab tab = open(queue)) {
            tab.page.getByLabel("Select m-1").check();
            tab.button("Redrive 1").click();
            tab.ask().getByText("Dry run: 1 message would be redriven.").waitFor();
            tab.askButton("Redrive").click();
            tab.showsNote("1 message will be redriven.");
            tab.page.waitForCondition(() -> queue.deadLetters() == 2);
        }
        assertThat(queue.next()).isEqualTo("m-1");
    }

    @Test
    void aRedriveUsesTheGivenTargetQueueAndLimit() {
        Queues queue = Queues.create(board).filled(3).read(3, "failed");
        Queues other = Queues.create(board);
        try (Tab tab = open(queue)) {
            tab.button("Redrive all").click();
            tab.page.getByLabel("Maximum number").fill("2");
            tab.page.getByLabel("Target queue").fill(other.name());
            tab.ask().getByText("Dry run: 2 messages would be redriven.").waitFor();
            tab.askButton("Redrive").click();
            tab.showsNote("2 messages will be redriven.");
            tab.page.waitForCondition(() -> queue.deadLetters() == 1);
        }
        assertThat(other.next()).as("the oldest failure first").isEqualTo("m-0");
    }

    @Test
    void aWaitingRedriveShowsItsReason() {
        Queues queue = Queues.create(board).dead(2);
        queue.queen().post("/api/v1/system/maintenance", Map.of("enabled", true));
        try (Tab tab = open(queue)) {
            try {
                tab.button("Redrive all").click();
                tab.askButton("Redrive").click();
                Locator redrive = tab.page.locator(".redrives li").filter(having(queue.name()));
                redrive.getByText("Waiting: pushes are switched off for maintenance").waitFor();
                redrive.getByText("waiting", new Locator.GetByTextOptions().setExact(true)).waitFor();
            } finally {
                queue.queen().post("/api/v1/system/maintenance", Map.of("enabled", false));
            }
            tab.page.locator(".redrives li").filter(having(queue.name())).getByText("2 of 2").waitFor();
        }
        assertThat(queue.deadLetters()).isZero();
    }

    @Test
    void aRedriveIsStopped() {
        Queues queue = Queues.create(board).dead(200);
        try (Tab tab = open(queue)) {
            tab.button("Redrive all").click();
            tab.page.getByLabel("Messages per second").fill("1");
            tab.askButton("Redrive").click();
            tab.showsNote("200 messages will be redriven.");
            tab.page.locator(".redrives li").filter(having(queue.name())).getByText("Stop").click();
            tab.showsNote("Redrive stopped.");
            tab.page.locator(".redrives li").filter(having(queue.name())).getByText("cancelled").waitFor();
        }
        JsonNode redrive = queue.redrive();
        assertThat(redrive.get("status").asText()).isEqualTo("cancelled");
        assertThat(queue.deadLetters()).as("what was not redriven stays").isPositive()
                .isEqualTo(200 - redrive.get("redriven").asInt());
    }

    @Test
    void allOfAnErrorArePurged() {
        Queues queue = Queues.create(board).filled(3).read(2, "failed");
        queue.read(1, "failed", "something else");
        try (Tab tab = open(queue)) {
            tab.page.locator(".errors button", new Page.LocatorOptions().setHasText("it broke")).click();
            tab.page.waitForURL(url -> url.contains("error=it+broke"));
            tab.page.getByText("2 dead letters, latest first").waitFor();
            tab.button("Purge all").click();
            tab.shows(tab.ask(), "All dead letters of " + queue.name(), "“it broke”", "2 dead letters",
                    "cannot be undone");
            tab.askButton("Delete").click();
            tab.showsNote("2 dead letters deleted.");
        }
        assertThat(queue.deadLetters()).isEqualTo(1);
    }

    @Test
    void theChosenArePurged() {
        Queues queue = Queues.create(board).filled(3).read(3, "failed");
        try (Tab tab = open(queue)) {
            tab.page.getByLabel("Select m-0").check();
            tab.page.getByLabel("Select m-2").check();
            tab.button("Purge 2").click();
            tab.shows(tab.ask(), "2 chosen dead letters of " + queue.name(), "cannot be undone");
            tab.askButton("Delete").click();
            tab.showsNote("2 dead letters deleted.");
        }
        assertThat(queue.deadLetters()).isEqualTo(1);
    }

    @Test
    void purgingNeedsAQueue() {
        try (Tab tab = Tab.of(board.url()).open("/dead-letters")) {
            tab.page.waitForCondition(tab.button("Purge all")::isDisabled);
        }
    }

    private static Locator.FilterOptions having(String text) {
        return new Locator.FilterOptions().setHasText(text);
    }

    private Tab open(Queues queue) {
        return Tab.of(board.url()).open("/dead-letters?queue=" + queue.name());
    }
}
