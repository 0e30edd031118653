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
    private final List<PendingPush> suspects = new ArrayList<>();

    PushLaneTest() {
        lane.window().startAt(0);
        lane.window().append(new long[]{HASH}, 0, 1, 0);
    }

    @Test
    void aMessageWhoseHashIsKnownIsASuspect() {
        lane.add(pending(false));

        assertThat(lane.draft(suspects, OPEN).count()).isZero();
        assertThat(suspects).hasSize(1);
    }

    @Test
    void aSuspectThatWasProvenUniqueIsComparedWithNewerOnesOnly() {
        PendingPush proven = pending(false);
        proven.proveUnique(0);
        lane.add(proven);
        assertThat(lane.draft(suspects, OPEN).count()).isEqualTo(1);

        lane.putBack();
        lane.window().append(new long[]{HASH}, 0, 1, 0);

        assertThat(lane.draft(suspects, OPEN).count()).isZero();
        assertThat(suspects).containsExactly(proven);
    }

    @Test
    void whatWasInTheLaneBeforeItDoesNotTurnADeadLetterAway() {
        lane.add(pending(true));

        assertThat(lane.draft(suspects, OPEN).count()).isEqualTo(1);
        assertThat(suspects).isEmpty();
    }

    @Test
    void aDeadLetterMayHaveBeenStoredByACallThatWasLost() {
        PendingPush redriven = pending(true);
        lane.add(redriven);
        lane.draft(suspects, OPEN);

        lane.putBack();
        lane.window().append(new long[]{HASH}, 0, 1, 0);

        assertThat(lane.draft(suspects, OPEN).count()).isZero();
        assertThat(suspects).containsExactly(redriven);
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

    private static PendingPush pending(boolean isRedriven) {
        PushItem item = new PushItem("q", "a", UUID.randomUUID(), "t", HASH, null, new byte[]{'\n'});
        PushTally tally = new PushTally(new PushCommand(List.of(item), isRedriven, Reply.ignored()), 0);
        return new PendingPush(item, isRedriven, 0, tally, 0);
    }
}
