package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What can be done in a lane does what it says. */
class LaneActionsTest {
    private final Board board = Board.shared();

    @Test
    void theHeadIsSkipped() {
        Queues queue = Queues.create(board).filled(3).read(1, "completed");
        try (Tab tab = open(queue)) {
            tab.button("Skip the head").click();
            assertThat(tab.ask().innerText()).contains("g will never get m-1");
            tab.askButton("Skip it").click();
            tab.told("1 is skipped.");
        }
        assertThat(queue.next()).isEqualTo("m-2");
        assertThat(queue.deadLetters()).isZero();
    }

    @Test
    void theHeadIsDeadLettered() {
        Queues queue = Queues.create(board).filled(2).read(1, "completed");
        try (Tab tab = open(queue)) {
            tab.button("Dead-letter the head").click();
            tab.askButton("Dead-letter it").click();
            tab.told("1 is a dead letter now.");
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
            assertThat(tab.ask().innerText()).contains("3 messages will be delivered again");
            tab.askButton("Replay").click();
            tab.told("g goes on at 1.");
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
            tab.told("g has moved.");
        }
        assertThat(queue.next()).isEqualTo("m-3");
    }

    @Test
    void aLaneIsPausedAndSaysSo() {
        Queues queue = Queues.create(board).filled(2).read(1, "completed");
        try (Tab tab = open(queue)) {
            tab.button("Pause").click();
            tab.told("Paused");
            assertThat(queue.next()).isNull();
            tab.page.getByText("The lane is paused.").waitFor();
            tab.button("Resume").click();
            tab.told("Resumed.");
        }
        assertThat(queue.next()).isEqualTo("m-1");
    }

    @Test
    void aHolderIsShownWithTheTimeItHasLeft() {
        Queues queue = Queues.create(board).filled(2).read(1, "completed");
        queue.next();
        try (Tab tab = open(queue)) {
            assertThat(tab.page.locator(".why").innerText()).contains("A consumer holds it", "Lease")
                    .containsPattern("in \\d+ (s|min)");
        }
    }

    private Tab open(Queues queue) {
        return Tab.of(board.url()).open("/lanes/" + queue.laneId() + "?group=g");
    }
}
