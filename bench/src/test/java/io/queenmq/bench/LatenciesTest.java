package io.queenmq.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    private final Latencies latencies = new Latencies();

    @Test
    void quantilesAreExactToOnePercent() {
        for (long micros = 1; micros <= 1_000_000; micros++) {
            latencies.add(micros);
        }
        assertThat(latencies.quantileMs(0.5)).isCloseTo(500, Percentage.withPercentage(1));
        assertThat(latencies.quantileMs(0.99)).isCloseTo(990, Percentage.withPercentage(1));
    }

    @Test
    void ofOneValueEveryQuantileIsThatValue() {
        latencies.add(100);
        assertThat(latencies.quantileMs(0)).isCloseTo(0.1, within(1e-9));
        assertThat(latencies.quantileMs(1)).isCloseTo(0.1, within(1e-9));
    }

    @Test
    void withoutValuesQuantilesAreNotANumber() {
        assertThat(latencies.quantileMs(0.5)).isNaN();
    }

    @Test
    void anyDurationHasItsPlace() {
        latencies.add(Long.MAX_VALUE);
        latencies.add(-1);
        assertThat(latencies.quantileMs(0)).isZero();
        assertThat(latencies.quantileMs(1)).isGreaterThan(1e15);
    }
}
