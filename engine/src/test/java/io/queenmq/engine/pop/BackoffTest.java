package io.queenmq.engine.pop;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.config.EngineConfig.PopWait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final PopWait DEFAULTS = new PopWait(Duration.ofMillis(100), 3, 2.0, Duration.ofMillis(1000));

    @Test
    void theIntervalGrowsAfterThreeEmptyPollsUpToItsMaximum() {
        assertThat(intervals(Backoff.fresh(DEFAULTS), 8)).containsExactly(100L, 100L, 100L, 200L, 400L, 800L, 1000L,
                1000L);
    }

    @Test
    void anArrivalResetsTheInterval() {
        Backoff tired = Backoff.fresh(DEFAULTS);
        for (int i = 0; i < 100; i++) {
            tired = tired.afterEmptyPoll();
        }

        assertThat(intervals(tired.reset(), 4)).containsExactly(100L, 100L, 100L, 200L);
    }

    @Test
    void aMultiplierOfOneKeepsTheBaseInterval() {
        PopWait steady = new PopWait(Duration.ofMillis(50), 0, 1.0, Duration.ofMillis(1000));

        assertThat(intervals(Backoff.fresh(steady), 5)).containsOnly(50L);
    }

    @Test
    void manyEmptyPollsDoNotOverflow() {
        Backoff tired = new Backoff(DEFAULTS, Integer.MAX_VALUE - 10);

        assertThat(tired.intervalNs()).isEqualTo(Duration.ofSeconds(1).toNanos());
    }

    private static List<Long> intervals(Backoff backoff, int count) {
        List<Long> intervals = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            intervals.add(backoff.intervalNs() / 1_000_000);
            backoff = backoff.afterEmptyPoll();
        }
        return intervals;
    }
}
