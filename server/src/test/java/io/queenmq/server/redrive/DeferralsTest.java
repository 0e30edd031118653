package io.queenmq.server.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.OffsetDateTime;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DeferralsTest {
    private static final UUID REDRIVE = UUID.randomUUID();
    private static final UUID PARTITION = UUID.randomUUID();

    private long nowNs = 1_000;
    private final Deferrals deferrals = new Deferrals(() -> nowNs);

    @Test
    void aRedriveIsLeftToTheOthersForAMoment() {
        assertThat(deferrals.isLeft(REDRIVE, letter(1))).isTrue();

        assertThat(deferrals.leftToOthers()).containsExactly(REDRIVE);
        nowNs += Deferrals.LEFT_FOR_NS;
        assertThat(deferrals.leftToOthers()).isEmpty();
    }

    @Test
    void oneThatNobodyMovedOnIsNotLeftAgain() {
        deferrals.isLeft(REDRIVE, letter(1));
        nowNs += Deferrals.LEFT_FOR_NS;

        assertThat(deferrals.isLeft(REDRIVE, letter(1))).isFalse();
        assertThat(deferrals.isLeft(REDRIVE, letter(500))).as("the next few").isFalse();
        assertThat(deferrals.leftToOthers()).isEmpty();
    }

    @Test
    void oneThatAnotherServerMovedOnIsLeftToIt() {
        deferrals.isLeft(REDRIVE, letter(1));
        nowNs += Deferrals.LEFT_FOR_NS;

        assertThat(deferrals.isLeft(REDRIVE, letter(2))).isTrue();
    }

    @Test
    void oneThatWasNotHeardOfForLongIsForgotten() {
        deferrals.isLeft(REDRIVE, letter(1));
        nowNs += 3_600_000_000_001L;
        deferrals.leftToOthers();

        assertThat(deferrals.isLeft(REDRIVE, letter(1))).isTrue();
    }

    private static DeadLetter letter(long offset) {
        return new DeadLetter(REDRIVE, PARTITION, "g", offset, OffsetDateTime.MIN, "t", new byte[0],
                new DeadLetter.Target(UUID.randomUUID(), "q", "p", PARTITION, false, false, 0));
    }
}
