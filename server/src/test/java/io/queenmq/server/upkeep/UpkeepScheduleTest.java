package io.queenmq.server.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpkeepScheduleTest {
    private static final UpkeepJob FAST = job("fast", 1_000);
    private static final UpkeepJob SLOW = job("slow", 60_000);

    private final UpkeepSchedule schedule = beginningAt(0);

    @Test
    void everyJobIsDueWhenThisServerBeginsUpkeep() {
        assertThat(schedule.isDue(FAST, 0)).isTrue();
        assertThat(schedule.isDue(SLOW, 0)).isTrue();
        assertThat(schedule.pauseNs(0)).isZero();
    }

    @Test
    void noJobIsDueBeforeTheFirstTime() {
        UpkeepSchedule delayed = beginningAt(ms(500));

        assertThat(delayed.isDue(FAST, ms(500) - 1)).isFalse();
        assertThat(delayed.pauseNs(ms(100))).isEqualTo(ms(400));
        assertThat(delayed.isDue(FAST, ms(500))).isTrue();
        assertThat(delayed.isDue(SLOW, ms(500))).isTrue();
    }

    /** The time of System.nanoTime may be negative, and overflow. */
    @ParameterizedTest(name = "from {0}")
    @ValueSource(longs = {0, -5_000_000_000L, Long.MAX_VALUE - 500_000_000L})
    void aJobIsDueOneIntervalAfterItsLastPassEnded(long endedNs) {
        UpkeepSchedule begun = beginningAt(endedNs);
        begun.ended(FAST, endedNs);

        assertThat(begun.isDue(FAST, endedNs)).isFalse();
        assertThat(begun.isDue(FAST, endedNs + ms(1_000) - 1)).isFalse();
        assertThat(begun.isDue(FAST, endedNs + ms(1_000))).isTrue();
        assertThat(begun.isDue(SLOW, endedNs)).as("a job that did not run").isTrue();
    }

    @ParameterizedTest(name = "fast ended at {0} ms, slow at {1} ms, now {2} ms: pause {3} ms")
    @CsvSource({"0, 0,      0,    1000", "0, 0,      400,  600", "0, 0,      1000, 0", "0, 0,      5000, 0",
        "0, -59500, 0,    500"})
    void thePauseEndsWhenTheNextJobIsDue(long fastMs, long slowMs, long nowMs, long pauseMs) {
        schedule.ended(FAST, ms(fastMs));
        schedule.ended(SLOW, ms(slowMs));

        assertThat(schedule.pauseNs(ms(nowMs))).isEqualTo(ms(pauseMs));
    }

    @Test
    void noPauseIsLongerThanTheMaximumSoThatALostSessionIsNoticed() {
        UpkeepSchedule rare = new UpkeepSchedule(List.of(SLOW), Duration.ofMillis(2_000), 0);
        rare.ended(SLOW, 0);

        assertThat(rare.pauseNs(0)).isEqualTo(ms(2_000));
    }

    private static UpkeepSchedule beginningAt(long firstDueNs) {
        return new UpkeepSchedule(List.of(FAST, SLOW), Duration.ofMillis(2_000), firstDueNs);
    }

    private static UpkeepJob job(String name, long intervalMs) {
        return new UpkeepJob(name, Duration.ofMillis(intervalMs), _ -> {});
    }

    private static long ms(long ms) {
        return ms * 1_000_000;
    }
}
