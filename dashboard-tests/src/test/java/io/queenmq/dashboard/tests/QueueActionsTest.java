package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The actions on queues have the described effect. */
@Needs(Program.CHROMIUM)
class QueueActionsTest {
    private final Board board = Board.shared();

    @Test
    void aQueueIsCreated() {
        try (Tab tab = Tab.of(board.url())) {
            tab.open("/queues");
            tab.button("New queue").click();
            tab.page.getByLabel("Name", exactly()).fill("made.by.hand");
            tab.page.getByLabel("Lease time").fill("77");
            tab.askButton("Create").click();
            tab.showsNote("made.by.hand was created.");
            tab.page.waitForURL("**/queues/made.by.hand");
        }
        assertThat(new Queues(board.queen(), "made.by.hand").shown().get("options").get("leaseTime").asInt())
                .isEqualTo(77);
    }

    @Test
    void settingsAreValidatedAndSaved() {
        Queues queue = Queues.create(board);
        try (Tab tab = Tab.of(board.url())) {
            tab.open("/queues/" + queue.name() + "?tab=settings");
            tab.page.getByLabel("Retry limit").fill("2147483648");
            tab.button("Save").click();
            tab.page.waitForCondition(() -> (boolean) tab.page.getByLabel("Retry limit")
                    .evaluate("input => input.validity.rangeOverflow"));
            tab.page.getByLabel("Retry limit").fill("8");
            tab.page.getByLabel("Dead letters for expired").check();
            tab.button("Save").click();
            tab.showsNote("Saved.");
        }
        assertThat(queue.shown().get("options").get("retryLimit").asInt()).isEqualTo(8);
        assertThat(queue.shown().get("options").get("deadLetterQueue").asBoolean()).isTrue();
        assertThat(queue.shown().get("options").get("retryDelay").asInt()).as("what was not touched").isZero();
    }

    @Test
    void theFormHasAFieldForEveryOptionThatIsNotDeprecated() {
        List<String> names = new ArrayList<>(List.of("namespace", "task"));
        board.queen().get("/openapi.json").body().at("/components/schemas/QueueOptions/properties").properties()
                .stream().filter(option -> !option.getValue().has("deprecated"))
                .forEach(option -> names.add(option.getKey()));
        Queues queue = Queues.create(board);
        try (Tab tab = Tab.of(board.url())) {
            tab.open("/queues/" + queue.name() + "?tab=settings");
            tab.page.getByLabel("Lease time (s)").waitFor();

            assertThat(tab.page.locator("queue-settings input").evaluateAll("all => all.map((each) => each.name)"))
                    .isEqualTo(names);
            assertThat(tab.page.getByLabel("Duplicate window (s)").getAttribute("max")).isEqualTo("31536000");
        }
    }

    @Test
    void aDuplicateWindowThatIsClearedIsTheServersSetting() {
        Queues queue = Queues.create(board);
        board.queen().configure(queue.name(), Map.of("dedupWindowSeconds", 60));
        try (Tab tab = Tab.of(board.url())) {
            tab.open("/queues/" + queue.name() + "?tab=settings");
            tab.page.getByLabel("Duplicate window (s)").fill("");
            tab.button("Save").click();
            tab.showsNote("Saved.");
        }
        assertThat(queue.shown().get("options").get("dedupWindowSeconds").isNull()).isTrue();
    }

    @Test
    void aFullQueueIsCalledFullAndRefusedPushesAreShown() {
        Queues queue = Queues.create(board);
        board.queen().configure(queue.name(), Map.of("maxSize", 1));
        try (Tab tab = Tab.of(board.url())) {
            queue.filled(3);
            tab.open("/queues/" + queue.name());
            tab.page.locator(".summary .badge").getByText("full").waitFor();
            tab.page.getByText("Rejected pushes").waitFor();
            tab.open("/?all=1");
            tab.page.locator(".problems").getByText(queue.name() + " is full").waitFor();
            tab.page.locator(".problems").getByText("2 pushes to " + queue.name() + " rejected in this range")
                    .waitFor();
            assertThat(tab.page.locator(".problems").getByText(queue.name() + " has no consumer group").count())
                    .isZero();
        } finally {
            // Other tests use the same overview.
            board.queen().delete("/api/v1/resources/queues/" + queue.name());
        }
    }

    @Test
    void aMessageIsPushedAndADuplicateIsCalledOne() {
        Queues queue = Queues.create(board);
        try (Tab tab = Tab.of(board.url())) {
            tab.open("/queues/" + queue.name() + "?tab=tail");
            for (String note : new String[]{"Stored.", "nothing was stored"}) {
                tab.button("Push").click();
                tab.page.getByLabel("Partition", exactly()).fill("a");
                tab.page.getByLabel("transactionId").fill("typed");
                tab.page.getByLabel("Payload (JSON)").fill("{\"by\":\"hand\"}");
                tab.askButton("Push").click();
                tab.showsNote(note);
            }
            tab.page.locator("main").getByText("typed").waitFor();
            tab.button("Push").click();
            tab.page.getByLabel("Payload (JSON)").fill("{no json");
            tab.askButton("Push").click();
            tab.ask().getByRole(com.microsoft.playwright.options.AriaRole.ALERT).waitFor();
        }
        assertThat(queue.shown().get("totals").get("total").asInt()).isEqualTo(1);
        assertThat(queue.next()).isEqualTo("typed");
    }

    @Test
    void aQueueIsPausedAndResumed() {
        Queues queue = Queues.create(board).filled(1);
        try (Tab tab = Tab.of(board.url())) {
            tab.open("/queues/" + queue.name());
            tab.button("Pause").click();
            tab.showsNote("Paused");
            assertThat(queue.next()).isNull();
            tab.button("Resume").click();
            tab.showsNote("Resumed.");
            assertThat(queue.next()).isEqualTo("m-0");
        }
    }

    @Test
    void clearingShowsTheLossAndCanBeCanceled() {
        Queues queue = Queues.create(board).filled(3);
        try (Tab tab = Tab.of(board.url())) {
            tab.open("/queues/" + queue.name());
            tab.button("Clear").click();
            tab.shows(tab.ask(), "3 messages", "cannot be undone");
            tab.askButton("Cancel").click();
            assertThat(queue.shown().get("totals").get("total").asInt()).isEqualTo(3);
            tab.button("Clear").click();
            tab.askButton("Delete the messages").click();
            tab.showsNote("3 messages were deleted.");
        }
        assertThat(queue.shown().get("totals").get("total").asInt()).isZero();
    }

    @Test
    void deletingWantsTheNameTyped() {
        Queues queue = Queues.create(board).filled(2);
        try (Tab tab = Tab.of(board.url())) {
            tab.open("/queues/" + queue.name());
            tab.button("Delete").click();
            tab.ask().locator("input").fill("another");
            tab.askButton("Delete the queue").click();
            tab.ask().getByText("The name does not match.").waitFor();
            tab.ask().locator("input").fill(queue.name());
            tab.askButton("Delete the queue").click();
            tab.showsNote(queue.name() + " was deleted.");
            tab.page.waitForURL("**/queues");
            tab.expectError("404");
        }
        assertThat(queue.queen().get("/api/v1/resources/queues/" + queue.name()).status()).isEqualTo(404);
    }

    private static Page.GetByLabelOptions exactly() {
        return new Page.GetByLabelOptions().setExact(true);
    }
}
