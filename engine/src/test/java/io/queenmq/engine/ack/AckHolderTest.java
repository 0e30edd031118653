package io.queenmq.engine.ack;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.AckItem.Status;
import io.queenmq.engine.command.AckOutcome;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.partition.OffsetSet;
import io.queenmq.engine.reply.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The outcomes of the acks of one lease. */
class AckHolderTest {
    private static final UUID PARTITION = new UUID(0, 1);
    private static final UUID LEASE = new UUID(0, 2);
    private static final long EPOCH = 5;

    private final List<AckOutcome> outcomes = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();
    private final AckHolder holder = new AckHolder(new LeasedPartition(PARTITION, "group", LEASE, "q", "a"),
            new Numbers().of("q"), EPOCH, null);

    @Test
    void acksUnderALiveLeaseAreAccepted() {
        add(Status.COMPLETED, 3);
        add(Status.COMPLETED, 4);

        holder.complete(answer(true, true, Finished.NONE, Set.of()));

        assertThat(outcomes).hasSize(2).allMatch(AckOutcome::isAccepted).allMatch(AckOutcome::isLeaseReleased);
    }

    @Test
    void underALeaseThatIsNotLiveOnlyAcksOfFinishedMessagesAreAccepted() {
        add(Status.COMPLETED, 3);
        add(Status.COMPLETED, 4);
        add(Status.COMPLETED, 6);

        holder.complete(answer(false, false, new Finished(4, OffsetSet.of(new long[]{6})), Set.of()));

        assertThat(outcomes).extracting(AckOutcome::isAccepted).containsExactly(true, false, true);
    }

    @Test
    void aCursorThatDoesNotExistIsTheReasonOfTheRejection() {
        add(Status.COMPLETED, 3);

        holder.complete(AckAnswer.ABSENT, "the group was deleted");

        assertThat(outcomes).extracting(AckOutcome::error).containsExactly("the group was deleted");
    }

    @Test
    void onlyDeadLettersAreReportedAsDead() {
        add(Status.FAILED, 3);
        add(Status.FAILED, 4);

        holder.complete(answer(true, false, Finished.NONE, Set.of(4L)));

        assertThat(outcomes).extracting(AckOutcome::isDead).containsExactly(false, true);
    }

    @Test
    void repeatedAcksOfAMessageStayTogether() {
        add(Status.COMPLETED, 3);
        add(Status.COMPLETED, 4);
        add(Status.COMPLETED, 3);

        List<List<AckHolder.Entry>> byMessage = holder.byMessage();

        assertThat(byMessage).extracting(List::size).containsExactly(2, 1);
        byMessage.getFirst().forEach(entry -> entry.decide(new AckOutcome("q", "a", null, false, false)));
        assertThat(outcomes).hasSize(2);
    }

    @Test
    void theFirstAckOfAMessageApplies() {
        add(Status.COMPLETED, 3);
        add(Status.FAILED, 3);
        add(Status.FAILED, 4);
        add(Status.COMPLETED, 4);

        assertThat(holder.completed()).isEqualTo(OffsetSet.of(new long[]{3}));
        assertThat(holder.failures()).extracting(AckHolder.Entry::offset).containsExactly(4L);
        assertThat(holder.isAllCompleted()).isFalse();
    }

    @Test
    void deadLettersAreAssignedToTheirHolder() {
        AckHolder other = new AckHolder(new LeasedPartition(new UUID(0, 9), "group", LEASE, "q", "b"),
                new Numbers().of("q"), EPOCH, null);
        add(Status.COMPLETED, 2);
        add(Status.FAILED, 3);
        other.add(item(Status.FAILED), 3, null, 0);
        other.add(item(Status.FAILED), 8, null, 0);

        assertThat(new AckArguments(List.of(holder, other)).dead(List.of(1, 3))).containsExactly(Set.of(3L),
                Set.of(8L));
    }

    @Test
    void messagesAreLookedUpAgainOnlyInAnotherHistoryAndWithoutALiveLease() {
        AckAnswer live = answer(true, false, Finished.NONE, Set.of());

        assertThat(holder.isOutdated(EPOCH, AckAnswer.ABSENT)).isFalse();
        assertThat(holder.isOutdated(EPOCH + 1, AckAnswer.ABSENT)).isTrue();
        assertThat(holder.isOutdated(EPOCH + 1, live)).isFalse();
    }

    @Test
    void aRequestFailsAsAWholeOnlyIfItsOutcomeIsUnknown() {
        add(Status.COMPLETED, 3);
        holder.refuse(new Failure.Refused("not possible"));
        assertThat(outcomes).extracting(AckOutcome::error).containsExactly("not possible");
        assertThat(failures).isEmpty();

        holder.refuse(new Failure.Unavailable("away"));
        assertThat(failures).containsExactly(new Failure.Unavailable("away"));
    }

    private static AckAnswer answer(boolean isLive, boolean isReleased, Finished finished, Set<Long> dead) {
        return new AckAnswer(false, isLive, isReleased, false, finished, dead);
    }

    private void add(Status status, long offset) {
        holder.add(item(status), offset, new AckListener() {
            @Override
            public void decide(int index, AckOutcome outcome) {
                outcomes.add(outcome);
            }

            @Override
            public void fail(Failure failure) {
                failures.add(failure);
            }
        }, 0);
    }

    private static AckItem item(Status status) {
        return new AckItem("t", PARTITION, "group", LEASE, status, null);
    }
}
