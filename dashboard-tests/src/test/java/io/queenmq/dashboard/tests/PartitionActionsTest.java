package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The actions on partitions have the described effect. */
@Needs(Program.CHROMIUM)
class PartitionActionsTest {
    private final Board board = Board.shared();

    @Test
    void theHeadIsSkipped() {
        Queues queue = Queues.create(board).filled(3).read(1, "completed");
        try (Tab tab = open(queue)) {
            tab.button("Skip the head").click();
            tab.shows(tab.ask(), "g will never receive m-1");
            tab.askButton("Skip").click();
            tab.showsNote("1 was skipped.");
        }
        assertThat(queue.next()).isEqualTo("m-2");
        assertThat(queue.deadLetters()).isZero();
    }

    @Test
    void theHeadIsDeadLettered() {
        Queues queue = Queues.create(board).filled(2).read(1, "completed");
        try (Tab tab = open(queue)) {
            tab.button("Dead-letter the head").click();
            tab.askButton("Dead-letter").click();
            tab.showsNote("1 was dead-lettered.");
        }
        assertThat(queue.next()).isNull();
        assertThat(queue.deadLetters()).isEqualTo(1);
    }

    @Test
    void aGroupReplaysFromAMessage() {
        Queues queue = Queues.create(board).filled(4).read(4, "completed");
        try (Tab tab = open(queue)) {
            tab.page.locator(".log li:not(.flag)").nth(1).hover();
            tab.page.locator(".log li:not(.flag)").nth(1).getByText("Replay from here").click();
            tab.shows(tab.ask(), "3 messages will be delivered again");
            tab.askButton("Replay").click();
            tab.showsNote("g continues at 1.");
        }
        assertThat(queue.next()).isEqualTo("m-1");
    }

    @Test
    void aGroupSeeksToAnOffset() {
        Queues queue = Queues.create(board).filled(4).read(1, "completed");
        try (Tab tab = open(queue)) {
            tab.button("Seek…").click();
            tab.page.getByLabel("Offset").fill("3");
            tab.askButton("Move").click();
            tab.showsNote("g was moved.");
        }
        assertThat(queue.next()).isEqualTo("m-3");
    }

    @Test
    void aPausedPartitionIsShownAsPaused() {
        Queues queue = Queues.create(board).filled(2).read(1, "completed");
        try (Tab tab = open(queue)) {
            tab.button("Pause").click();
            tab.showsNote("Paused");
            assertThat(queue.next()).isNull();
            tab.page.getByText("The partition is paused.").waitFor();
            tab.button("Resume").click();
            tab.showsNote("Resumed.");
        }
        assertThat(queue.next()).isEqualTo("m-1");
    }

    @Test
    void theReasonForNoDeliveryIsShownWhilePopsAreClosed() {
        Queues queue = Queues.create(board).filled(2).read(1, "completed");
        queue.queen().post("/api/v1/system/maintenance/pop", Map.of("enabled", true));
        try (Tab tab = open(queue)) {
            tab.page.locator(".why").getByText("closed for maintenance").waitFor();
            tab.page.getByText("no server delivers messages until an operator switches them on").waitFor();
        } finally {
            queue.queen().post("/api/v1/system/maintenance/pop", Map.of("enabled", false));
        }
        assertThat(queue.next()).isEqualTo("m-1");
    }

    @Test
    void onlyThisPartitionIsCleared() {
        Queues queue = Queues.create(board).filled(3).read(1, "completed");
        queue.queen().push(queue.name(), "b", List.of("peer"));
        try (Tab tab = open(queue)) {
            tab.button("Clear").click();
            tab.shows(tab.ask(), "Clear partition a of " + queue.name(), "3 messages", "2 are not finished",
                    "cannot be undone");
            tab.askButton("Delete the messages").click();
            tab.showsNote("3 messages were deleted.");
            tab.page.getByText("The partition is empty.").waitFor();
        }
        assertThat(queue.next()).isNull();
        assertThat(queue.queen().get("/api/v1/partitions/" + queue.partitionId()).body().get("messages").get("total")
                .asInt()).isZero();
        assertThat(queue.queen().pop(queue.name(), "b", "g", "batch=1").messages()).hasSize(1);
    }

    @Test
    void aMessageIsPushedIntoThePartition() {
        Queues queue = Queues.create(board).filled(1).read(1, "completed");
        try (Tab tab = open(queue)) {
            tab.button("Push").click();
            assertThat(tab.ask().getByLabel("Partition").inputValue()).isEqualTo("a");
            tab.page.getByLabel("transactionId").fill("typed");
            tab.askButton("Push").click();
            tab.showsNote("Stored.");
            tab.page.locator(".log").getByText("typed").waitFor();
        }
        assertThat(queue.next()).isEqualTo("typed");
    }

    @Test
    void aGroupSeeksToTheEndOfAPartition() {
        Queues queue = Queues.create(board).filled(4).read(1, "completed");
        try (Tab tab = open(queue)) {
            tab.button("Seek…").click();
            tab.page.getByLabel("Position").selectOption("end");
            tab.askButton("Move").click();
            tab.showsNote("g was moved.");
        }
        assertThat(queue.next()).isNull();
        queue.queen().push(queue.name(), "a", List.of("later"));
        assertThat(queue.next()).isEqualTo("later");
    }

    @Test
    void aHolderIsShownWithTheTimeItHasLeft() {
        Queues queue = Queues.create(board).filled(2).read(1, "completed");
        queue.next();
        try (Tab tab = open(queue)) {
            tab.shows(tab.page.locator(".why"), "Leased by a consumer", "Lease", "(ends in ");
            assertThat(tab.page.locator(".why").innerText()).containsPattern("\\(ends in \\d+ (s|min)\\)")
                    .doesNotContainPattern("\\d{4}-\\d\\d-\\d\\dT");
        }
    }

    private Tab open(Queues queue) {
        return Tab.of(board.url()).open("/partitions/" + queue.partitionId() + "?group=g");
    }
}
