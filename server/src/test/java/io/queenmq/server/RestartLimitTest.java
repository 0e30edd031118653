package io.queenmq.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RestartLimitTest {
    private long nowNs;
    private final RestartLimit limit = new RestartLimit(() -> nowNs);

    @Test
    void threeRestartsAreAllowedInTenMinutes() {
        for (int i = 0; i < RestartLimit.RESTARTS_MAX; i++) {
            nowNs += 60_000_000_000L;
            assertThat(limit.isAllowed()).isTrue();
        }
        assertThat(limit.isAllowed()).isFalse();

        nowNs += RestartLimit.WITHIN.toNanos() - 2 * 60_000_000_000L + 1;
        assertThat(limit.isAllowed()).as("the first restart is outside the period").isTrue();
        assertThat(limit.isAllowed()).isFalse();
    }
}
