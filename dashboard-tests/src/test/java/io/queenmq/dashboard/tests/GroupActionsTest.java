package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The actions on groups have the described effect. */
@Needs(Program.CHROMIUM)
class GroupActionsTest {
    private final Board board = Board.shared();

    @Test
    void aGroupIsSoughtToTheBeginning() {
        Queues queue = Queues.create(board).filled(3).read(3, "completed");
        try (Tab tab = open(queue)) {
            tab.button("Seek").click();
            tab.page.getByLabel("Position").selectOption("beginning");
            tab.askButton("Move").click();
            tab.showsNote("1 partition moved.");
        }
        assertThat(queue.next()).isEqualTo("m-0");
    }

    @Test
    void aGroupIsSoughtToATime() {
        Queues queue = Queues.create(board).filled(3).read(3, "completed");
        try (Tab tab = open(queue)) {
            tab.button("Seek").click();
            tab.page.getByLabel("First message after").fill("2020-02-20T20:20");
            tab.askButton("Move").click();
            tab.showsNote("1 partition moved.");
        }
        assertThat(queue.next()).isEqualTo("m-0");
    }

    @Test
    void aGroupSkipsAllThatIsThere() {
        Queues queue = Queues.create(board).filled(3).read(1, "completed");
        try (Tab tab = open(queue)) {
            tab.button("Seek").click();
            tab.page.getByLabel("Position").selectOption("end");
            tab.shows(tab.ask(), "skips up to 2 messages");
            tab.askButton("Move").click();
            tab.showsNote("1 partition moved.");
        }
        assertThat(queue.next()).isNull();
    }

    @Test
    void aGroupIsPausedAndResumed() {
        Queues queue = Queues.create(board).filled(2).read(1, "completed");
        try (Tab tab = open(queue)) {
            tab.page.locator("td").getByText("Pause").click();
            tab.showsNote("g is paused on " + queue.name());
            assertThat(queue.next()).isNull();
            tab.page.locator("td").getByText("Resume").click();
            tab.showsNote("g is resumed on " + queue.name());
        }
        assertThat(queue.next()).isEqualTo("m-1");
    }

    @Test
    void aGroupShowsWhetherItHasConsumers() {
        Queues queue = Queues.create(board).filled(2);
        queue.next();
        try (Tab tab = open(queue)) {
            var row = tab.page.locator("tbody tr").filter(new Locator.FilterOptions().setHasText("stable"));
            row.waitFor();
            // One lease.
            tab.page.waitForCondition(() -> row.locator("td").nth(2).innerText().equals("1"));
            queue.queen().post("/api/v1/resources/queues/" + queue.name() + "/pause", null);
            tab.page.locator("tbody tr").filter(new Locator.FilterOptions().setHasText("paused")).waitFor();
        }
    }

    @Test
    void deletingAGroupShowsItsConsequencesFirst() {
        Queues queue = Queues.create(board).filled(3).read(2, "completed");
        try (Tab tab = open(queue)) {
            tab.page.locator("td").getByText("Delete").click();
            tab.shows(tab.ask(), "Delete g on " + queue.name(), "2 partitions", "1 unread message");
            tab.askButton("Delete the group").click();
            tab.showsNote("g was deleted from " + queue.name());
        }
        assertThat(queue.next()).as("a deleted group starts again").isEqualTo("m-0");
    }

    @Test
    void aGroupIsDeletedEverywhere() {
        List<Queues> queues = List.of(Queues.create(board).filled(2), Queues.create(board).filled(1));
        String group = "everywhere-" + queues.getFirst().name();
        queues.forEach(queue -> queue.queen().pop(queue.name(), "a", group, "batch=1&autoAck=true"));
        board.queen().post("/api/v1/stats/refresh", null);
        try (Tab tab = Tab.of(board.url()).open("/groups/" + group)) {
            tab.button("Delete everywhere").click();
            tab.shows(tab.ask(), "Delete " + group + " everywhere", "2 queues", "1 unread message");
            tab.askButton("Delete the group").click();
            tab.showsNote(group + " was deleted from 2 partitions.");
            tab.page.waitForURL("**/groups");
            // Lists show sums that are counted periodically.
            tab.page.waitForCondition(() -> !board.queen().get("/api/v1/consumer-groups").body()
                    .findValuesAsText("name").contains(group));
        }
        for (Queues queue : queues) {
            assertThat(queue.queen().pop(queue.name(), "a", group, "batch=1").messages().getFirst().transactionId())
                    .as("it begins anew").isEqualTo("m-0");
        }
    }

    private Tab open(Queues queue) {
        board.queen().post("/api/v1/stats/refresh", null);
        return Tab.of(board.url()).open("/queues/" + queue.name() + "?tab=groups");
    }
}
