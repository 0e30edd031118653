package io.queenmq.server.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.OffsetDateTime;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DeferralsTest {
    private static final UUID REDRIVE = UUID.randomUUID();
    private static final UUID PARTITION = UUID.randomUUID();

    private long nowNs = 1_000;
    private final Deferrals deferrals = new Deferrals();

    @Test
    void aRedriveIsLeftToOtherServersForAWhile() {
        assertThat(deferrals.defer(REDRIVE, letter(1), nowNs)).isTrue();

        assertThat(deferrals.deferred(nowNs)).containsExactly(REDRIVE);
        nowNs += Deferrals.DEFERRED_FOR_NS;
        assertThat(deferrals.deferred(nowNs)).isEmpty();
    }

    @Test
    void aRedriveWithoutProgressIsNotDeferredAgain() {
        deferrals.defer(REDRIVE, letter(1), nowNs);
        nowNs += Deferrals.DEFERRED_FOR_NS;

        assertThat(deferrals.defer(REDRIVE, letter(1), nowNs)).isFalse();
        assertThat(deferrals.defer(REDRIVE, letter(500), nowNs)).as("its next letters").isFalse();
        assertThat(deferrals.deferred(nowNs)).isEmpty();
    }

    @Test
    void aRedriveWithProgressByAnotherServerIsDeferredAgain() {
        deferrals.defer(REDRIVE, letter(1), nowNs);
        nowNs += Deferrals.DEFERRED_FOR_NS;

        assertThat(deferrals.defer(REDRIVE, letter(2), nowNs)).isTrue();
    }

    @Test
    void aDeferralIsRemovedFromMemoryAfterAnHour() {
        deferrals.defer(REDRIVE, letter(1), nowNs);
        nowNs += Deferrals.REMOVED_AFTER_NS + 1;
        deferrals.deferred(nowNs);

        assertThat(deferrals.defer(REDRIVE, letter(1), nowNs)).isTrue();
    }

    private static DeadLetter letter(long offset) {
        return new DeadLetter(REDRIVE, new DeadLetter.Key(PARTITION, "g", offset), OffsetDateTime.MIN, "t", new byte[0],
                new DeadLetter.Target(UUID.randomUUID(), "q", "p", PARTITION, false, false, 0));
    }
}
