package io.queenmq.engine.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.harness.TestOptions;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.push.PendingPush.Origin;
import io.queenmq.engine.push.PushPlanner.FailurePlan;
import io.queenmq.engine.push.PushPlanner.Next;
import io.queenmq.engine.push.PushPlanner.Rejection;
import io.queenmq.engine.push.PushRoutines.CatchUpAnswer;
import io.queenmq.engine.push.PushRoutines.PartitionState;
import io.queenmq.engine.push.PushRoutines.WindowSegment;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.queue.QueueOption;
import io.queenmq.engine.queue.QueueOptions;
import io.queenmq.engine.reply.Failure;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The decisions of a push turn. */
class PushPlannerTest {
    private static final long KNOWN_HASH = 42;
    private static final long HEAD = 3;
    private static final Failure UNAVAILABLE = new Failure.Unavailable("no connection");
    private static final Failure OVERLOADED = new Failure.Overloaded("full");

    @Test
    void aTurnEndsWhenNothingWaits() {
        assertThat(PushPlanner.next(caughtUp(partition(0)))).isEqualTo(new Next.End());
    }

    @Test
    void aPartitionThatMayNotExistBeginsWithItsFirstSegment() {
        PushPartition partition = partition(0);
        partition.add(ofProducer(1));

        assertThat(PushPlanner.next(partition)).isEqualTo(new Next.Store(false));
    }

    @Test
    void aPartitionOfABoundedQueueCatchesUpBeforeItsFirstSegment() {
        PushPartition partition = partition(10);
        partition.add(ofProducer(1));

        assertThat(PushPlanner.next(partition)).isEqualTo(new Next.CatchUp());
    }

    @Test
    void aPartitionBeginsWithNoMessageFromTheSpool() {
        PushPartition partition = partition(0);
        partition.add(ofSpool(SpooledPush.NOT_ATTEMPTED));

        assertThat(PushPlanner.next(partition)).isEqualTo(new Next.CatchUp());
    }

    @Test
    void aPartitionWhoseHeadIsUnknownCatchesUp() {
        PushPartition partition = caughtUp(partition(0));
        partition.add(ofProducer(1));
        partition.invalidateHead();

        assertThat(PushPlanner.next(partition)).isEqualTo(new Next.CatchUp());
    }

    @ParameterizedTest
    @CsvSource({"0, false", "10, true"})
    void messagesWhoseHashesAreNewAreStored(int maxSize, boolean isBounded) {
        PushPartition partition = caughtUp(partition(maxSize));
        partition.add(ofProducer(1));

        assertThat(PushPlanner.next(partition)).isEqualTo(new Next.Store(isBounded));
    }

    @Test
    void messagesWhoseHashesAreKnownAreCompared() {
        PushPartition partition = caughtUp(partition(0));
        PendingPush suspect = ofProducer(KNOWN_HASH);
        partition.add(ofProducer(1));
        partition.add(suspect);

        assertThat(PushPlanner.next(partition)).isEqualTo(new Next.CheckDuplicates(List.of(suspect)));

        suspect.provedUpTo(HEAD);
        assertThat(PushPlanner.next(partition)).isEqualTo(new Next.Store(false));
    }

    @Test
    void messagesOfLostCallsAreResolvedBeforeAnythingIsCompared() {
        PushPartition partition = caughtUp(partition(0));
        PendingPush attempted = ofProducer(KNOWN_HASH);
        attempted.setAttemptBase(HEAD - 1);
        partition.add(attempted);

        assertThat(PushPlanner.next(partition)).isEqualTo(new Next.ResolveAttempts(List.of(attempted)));
    }

    @Test
    void messagesFromTheSpoolAreSearchedInPostgres() {
        PushPartition partition = caughtUp(partition(0));
        PendingPush spooled = ofSpool(SpooledPush.NOT_ATTEMPTED);
        partition.add(spooled);

        assertThat(PushPlanner.next(partition)).isEqualTo(new Next.CheckSpooled(List.of(spooled)));

        spooled.provedUpTo(HEAD);
        assertThat(PushPlanner.next(partition)).isEqualTo(new Next.Store(false));
    }

    @Test
    void aRejectedSegmentIsHalvedUntilOneMessageIsLeft() {
        assertThat(PushPlanner.onRejected(false, 9)).isEqualTo(new Rejection.Halve(4));
        assertThat(PushPlanner.onRejected(false, 2)).isEqualTo(new Rejection.Halve(1));
        assertThat(PushPlanner.onRejected(false, 1)).isEqualTo(new Rejection.RejectFirst());
    }

    @Test
    void aMessageThatAnEarlierCallMayHaveStoredIsNotRejected() {
        assertThat(PushPlanner.onRejected(true, 1)).isEqualTo(new Rejection.CatchUpFirst());
        assertThat(PushPlanner.onRejected(true, 9)).isEqualTo(new Rejection.CatchUpFirst());
    }

    @Test
    void allPushesAreSpooledTogetherIfTheSpoolIsOpen() {
        assertThat(PushPlanner.onFailure(UNAVAILABLE, false, true)).isEqualTo(new FailurePlan(UNAVAILABLE, true));
    }

    @Test
    void withoutASpoolPushesThatAreNotOverdueKeepWaiting() {
        assertThat(PushPlanner.onFailure(UNAVAILABLE, false, false)).isEqualTo(new FailurePlan(UNAVAILABLE, false));
    }

    @Test
    void anOverloadedServerFailsAllPushesAndSpoolsNone() {
        assertThat(PushPlanner.onFailure(OVERLOADED, false, true)).isEqualTo(new FailurePlan(OVERLOADED, true));
        assertThat(PushPlanner.onFailure(OVERLOADED, false, false)).isEqualTo(new FailurePlan(OVERLOADED, true));
    }

    @Test
    void aFailureDoesNotClaimThatNothingWasStoredWhileACallIsInDoubt() {
        assertThat(PushPlanner.onFailure(OVERLOADED, true, false))
                .isEqualTo(new FailurePlan(new Failure.Unavailable("full"), true));
    }

    @ParameterizedTest(name = "{0}, moved {1} times, queue lost: {2} fails: {3}")
    @CsvSource({"CLIENT, 1, false, false", "CLIENT, 10, false, false", "CLIENT, 11, false, true",
        "CLIENT, 11, true, true", "SPOOL, 1, false, true", "SPOOL, 1, true, false", "SPOOL, 11, true, true"})
    void pushesOfADeletedQueueMoveToTheNextOne(Origin origin, int moves, boolean isLost, boolean isFailed) {
        assertThat(PushPlanner.onQueueDeleted(origin, moves, isLost) != null).isEqualTo(isFailed);
    }

    private static PushPartition partition(int maxSize) {
        QueueOptions options = TestOptions.defaults().with(QueueOption.MAX_SIZE, (long) maxSize);
        return new PushPartition(new Queue(UUID.randomUUID(), "q", "", "", options, false, Set.of(), 0), "a",
                new Numbers().of("q"), DedupRule.ofSeconds(3_600, 100_000));
    }

    private static PushPartition caughtUp(PushPartition partition) {
        partition.caughtUp(new CatchUpAnswer.Found(new PartitionState(HEAD, 0, false, 0, false,
                List.of(new WindowSegment(new long[]{7, KNOWN_HASH, 8}, 0)))));
        return partition;
    }

    private static PendingPush ofProducer(long hash) {
        return new PendingPush(item(hash), Origin.CLIENT, 0, null, 0);
    }

    private static PendingPush ofSpool(long attemptBase) {
        return PendingPush.ofSpool(item(1), new SpooledPush(0, attemptBase, false), 0, null);
    }

    private static PushItem item(long hash) {
        return new PushItem("q", "a", UUID.randomUUID(), "t" + hash, hash, null, new byte[]{'\n'});
    }
}
