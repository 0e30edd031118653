package io.queenmq.server.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.catalog.Queue;
import io.queenmq.server.catalog.QueueOptions;
import io.queenmq.server.numbers.Numbers;
import io.queenmq.server.reply.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which of those in line may be duplicates. */
class PushLaneTest {
    private static final long HASH = 42;

    private static final PushLane.Seal OPEN = new PushLane.Seal() {
        @Override
        public boolean isRequiredFor(PushLane lane) {
            return false;
        }

        @Override
        public PushItem seal(PushItem item) {
            throw new AssertionError("nothing here is to be sealed");
        }
    };

    private static final QueueOptions DEFAULTS = new QueueOptions(300, 3, 1000, 1.0, 0, 0, 0, 0L, 3600, 0, false, 0, 0,
            false,
            false, false, null);

    private final PushLane lane = new PushLane(new Queue(UUID.randomUUID(), "q", "", "", DEFAULTS, false, Set.of(), 0),
            "a", new Numbers().of("q"));

    PushLaneTest() {
        lane.window().startAt(0);
        lane.window().append(new long[]{HASH}, 0, 1, 0);
    }

    @Test
    void aMessageWhoseHashIsKnownIsASuspect() {
        PendingPush known = pending("t", HASH, false);
        lane.add(known);

        assertThat(lane.suspects()).containsExactly(known);
    }

    @Test
    void aSuspectThatWasProvenUniqueIsComparedWithNewerOnesOnly() {
        PendingPush proven = pending("t", HASH, false);
        proven.proveUnique(0);
        lane.add(proven);
        assertThat(lane.suspects()).isEmpty();

        lane.window().append(new long[]{HASH}, 0, 1, 0);

        assertThat(lane.suspects()).containsExactly(proven);
    }

    @Test
    void whatWasInTheLaneBeforeItDoesNotTurnADeadLetterAway() {
        lane.add(pending("t", HASH, true));

        assertThat(lane.suspects()).isEmpty();
        assertThat(lane.draft(OPEN).size()).isEqualTo(1);
    }

    @Test
    void aDeadLetterMayHaveBeenStoredByACallThatWasLost() {
        PendingPush redriven = pending("t", HASH, true);
        lane.add(redriven);
        lane.draft(OPEN);

        lane.window().append(new long[]{HASH}, 0, 1, 0);

        assertThat(lane.suspects()).containsExactly(redriven);
    }

    @Test
    @DisplayName("D2: nobody goes before a suspect that stands in front of them")
    void aDraftEndsAtTheFirstSuspect() {
        lane.add(pending("first", 1, false));
        lane.add(pending("suspect", HASH, false));
        lane.add(pending("behind it", 2, false));

        assertThat(lane.draft(OPEN).segment().count()).isEqualTo(1);
    }

    @Test
    @DisplayName("D1: who is in a draft stays in line until the answer is known, so a second draft holds the same")
    void aDraftTakesNobodyOutOfLine() {
        lane.add(pending("first", 1, false));
        lane.add(pending("second", 2, false));
        PushDraft lost = lane.draft(OPEN);
        lane.add(pending("third", 3, false));

        PushDraft again = lane.draft(OPEN);

        assertThat(lost.size()).isEqualTo(2);
        assertThat(again.size()).isEqualTo(3);
        assertThat(again.segment().item(0)).isEqualTo(lost.segment().item(0));
        assertThat(again.segment().item(1)).isEqualTo(lost.segment().item(1));
    }

    @Test
    void theSameTransactionIdIsStoredOnceAndTheOthersAreItsDuplicates() {
        List<List<PushOutcome>> answers = new ArrayList<>();
        PendingPush first = pending("same", 1, false, answers);
        lane.add(first);
        lane.add(pending("other", 2, false, answers));
        lane.add(pending("same", 1, false, answers));
        PushDraft draft = lane.draft(OPEN);
        assertThat(draft.segment().count()).isEqualTo(2);

        draft.tell(lane);

        assertThat(answers).containsExactly(List.of(new PushOutcome.Queued(lane.id())),
                List.of(new PushOutcome.Queued(lane.id())),
                List.of(new PushOutcome.Duplicate(lane.id(), first.item().messageId())));
    }

    @Test
    void aWindowIsForgottenOnlyWhenNobodyCountsOnIt() {
        lane.setTaken(true);
        lane.forgetWindow();
        assertThat(lane.window().known()).isEqualTo(1);

        lane.setTaken(false);

        assertThat(lane.window().isKnown()).isFalse();
        assertThat(lane.isCaughtUp()).isFalse();
    }

    private static PendingPush pending(String transactionId, long hash, boolean isRedriven) {
        return pending(transactionId, hash, isRedriven, new ArrayList<>());
    }

    private static PendingPush pending(String transactionId, long hash, boolean isRedriven,
            List<List<PushOutcome>> answers) {
        PushItem item = new PushItem("q", "a", UUID.randomUUID(), transactionId, hash, null, new byte[]{'\n'});
        Reply<List<PushOutcome>> reply = Reply.of(answers::add, failure -> {
            throw new AssertionError(failure);
        });
        return new PendingPush(item, isRedriven ? PendingPush.Origin.DEAD_LETTER : PendingPush.Origin.CLIENT, 0,
                new PushTally(new PushCommand(List.of(item), isRedriven, reply), 0, new Numbers()),
                0);
    }
}
