package io.queenmq.engine.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.PushCommand;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.harness.TestOptions;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.reply.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The pushes that may be duplicates, and the drafts of a partition. */
class PushPartitionTest {
    private static final long HASH = 42;

    private static final PayloadEncryption NOT_ENCRYPTED = null;

    private final PushPartition partition = new PushPartition(
            new Queue(UUID.randomUUID(), "q", "", "", TestOptions.defaults(), false, Set.of(), 0), "a",
            new Numbers().of("q"), DedupRule.ofSeconds(3_600, 100_000));

    PushPartitionTest() {
        partition.window().startAt(0);
        partition.window().append(new long[]{HASH}, 0, 1, 0);
    }

    @Test
    void aMessageWhoseHashIsKnownIsASuspect() {
        PendingPush known = pending("t", HASH);
        partition.add(known);

        assertThat(partition.suspects()).containsExactly(known);
    }

    @Test
    void aUniqueSuspectIsComparedOnlyWithNewerMessages() {
        PendingPush proven = pending("t", HASH);
        proven.provedUpTo(1);
        partition.add(proven);
        assertThat(partition.suspects()).isEmpty();

        partition.window().append(new long[]{HASH}, 0, 1, 0);

        assertThat(partition.suspects()).containsExactly(proven);
    }

    @Test
    void aMessageOfALostCallIsInDoubtWhenTheHeadChanges() {
        PushTurn turn = new PushTurn(partition);
        PendingPush lost = pending("t", 1);
        partition.add(lost);
        turn.newDraft(NOT_ENCRYPTED);
        assertThat(partition.inDoubt()).isEmpty();

        partition.window().append(new long[]{7}, 0, 1, 0);

        assertThat(partition.inDoubt()).containsExactly(lost);
        assertThat(lost.attemptBase()).isEqualTo(1);
        assertThat(partition.draft(NOT_ENCRYPTED).size()).isZero();
    }

    @Test
    void aCallThatStoredNothingLeavesNoMessageInDoubt() {
        PushTurn turn = new PushTurn(partition);
        partition.add(pending("t", 1));
        turn.newDraft(NOT_ENCRYPTED);

        turn.storedNothing();
        partition.window().append(new long[]{7}, 0, 1, 0);

        assertThat(partition.inDoubt()).isEmpty();
    }

    @Test
    void withoutAWindowNothingIsADuplicate() {
        PushPartition without = partitionWithWindow(0);
        without.add(pending("t", HASH));
        without.add(pending("t", HASH));

        assertThat(without.suspects()).isEmpty();
        assertThat(without.draft(NOT_ENCRYPTED).segment().count()).isEqualTo(2);
    }

    @Test
    void messagesFromASpoolAreDuplicatesByTheTimesAtWhichTheyWereAccepted() {
        PushPartition drained = partitionWithWindow(5);
        for (long second : new long[]{0, 4, 8, 9, 13}) {
            drained.add(spooled("t", second * 1_000_000));
        }
        assertThat(drained.uncheckedSpooled()).hasSize(5);
        assertThat(drained.draft(NOT_ENCRYPTED).size()).isZero();

        drained.uncheckedSpooled().forEach(each -> each.provedUpTo(1));

        // The messages of seconds 0, 8 and 13 are stored: a duplicate does not extend the window.
        PushDraft draft = drained.draft(NOT_ENCRYPTED);
        assertThat(draft.size()).isEqualTo(5);
        assertThat(draft.segment().count()).isEqualTo(3);
    }

    @Test
    void messagesFromASpoolAndOthersAreNotStoredTogether() {
        PushPartition mixed = partitionWithWindow(5);
        mixed.add(spooled("s", 0));
        mixed.add(pending("t", 1));
        mixed.uncheckedSpooled().forEach(each -> each.provedUpTo(1));

        assertThat(mixed.draft(NOT_ENCRYPTED).size()).isEqualTo(1);
    }

    private static PushPartition partitionWithWindow(int seconds) {
        PushPartition other = new PushPartition(
                new Queue(UUID.randomUUID(), "q", "", "", TestOptions.defaults(), false, Set.of(), 0), "a",
                new Numbers().of("q"), DedupRule.ofSeconds(seconds, 100_000));
        other.window().startAt(0);
        other.window().append(new long[]{HASH}, 0, 1, 0);
        return other;
    }

    private static PendingPush spooled(String transactionId, long acceptedMicros) {
        PushItem item = pending(transactionId, 1).item();
        return PendingPush.ofSpool(item, new SpooledPush(acceptedMicros, SpooledPush.NOT_ATTEMPTED, false), 0, null);
    }

    @Test
    @DisplayName("a draft ends before a push that is suspected to fail, so that no later push overtakes it")
    void aDraftEndsAtTheFirstSuspect() {
        partition.add(pending("first", 1));
        partition.add(pending("suspect", HASH));
        partition.add(pending("after it", 2));

        assertThat(partition.draft(NOT_ENCRYPTED).segment().count()).isEqualTo(1);
    }

    @Test
    @DisplayName("pushes of a draft stay pending until the outcome is known, so a second draft contains the same ones")
    void aDraftRemovesNoPushFromTheQueue() {
        partition.add(pending("first", 1));
        partition.add(pending("second", 2));
        PushDraft lost = partition.draft(NOT_ENCRYPTED);
        partition.add(pending("third", 3));

        PushDraft again = partition.draft(NOT_ENCRYPTED);

        assertThat(lost.size()).isEqualTo(2);
        assertThat(again.size()).isEqualTo(3);
        assertThat(again.segment().item(0)).isEqualTo(lost.segment().item(0));
        assertThat(again.segment().item(1)).isEqualTo(lost.segment().item(1));
    }

    @Test
    void aRepeatedTransactionIdIsStoredOnceAndTheOthersAreDuplicates() {
        List<List<PushOutcome>> answers = new ArrayList<>();
        PendingPush first = pending("same", 1, answers);
        partition.add(first);
        partition.add(pending("other", 2, answers));
        partition.add(pending("same", 1, answers));
        PushDraft draft = partition.draft(NOT_ENCRYPTED);
        assertThat(draft.segment().count()).isEqualTo(2);

        draft.complete(partition, new StoreAnswer.Stored(1, 0));

        assertThat(answers).containsExactly(List.of(new PushOutcome.Queued(partition.id(), 1)),
                List.of(new PushOutcome.Queued(partition.id(), 2)),
                List.of(new PushOutcome.Duplicate(partition.id(), first.item().messageId())));
    }

    @Test
    void aWindowIsDroppedOnlyWhenThePartitionIsFree() {
        partition.setTaken(true);
        partition.dropWindow();
        assertThat(partition.window().known()).isEqualTo(1);

        partition.setTaken(false);

        assertThat(partition.window().isKnown()).isFalse();
        assertThat(partition.isCaughtUp()).isFalse();
    }

    private static PendingPush pending(String transactionId, long hash) {
        return pending(transactionId, hash, new ArrayList<>());
    }

    private static PendingPush pending(String transactionId, long hash, List<List<PushOutcome>> answers) {
        PushItem item = new PushItem("q", "a", UUID.randomUUID(), transactionId, hash, null, new byte[]{'\n'});
        Reply<List<PushOutcome>> reply = Reply.of(answers::add, failure -> {
            throw new AssertionError(failure);
        });
        return new PendingPush(item, PendingPush.Origin.CLIENT, 0,
                new PushTally(new PushCommand(List.of(item), reply), 0, new Numbers()), 0);
    }
}
