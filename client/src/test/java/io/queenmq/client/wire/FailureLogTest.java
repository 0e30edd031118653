package io.queenmq.client.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The times at which a repeated failure is logged. */
class FailureLogTest {
    private final FailureLog episode = new FailureLog();

    @Test
    void aFailureIsLoggedAtItsBeginningOncePerMinuteAndAtItsEnd() {
        assertThat(episode.onSuccess(at(0))).isEmpty();
        assertThat(episode.onFailure(at(10))).contains(Duration.ZERO);
        assertThat(episode.onFailure(at(11))).isEmpty();
        assertThat(episode.onFailure(at(69))).isEmpty();
        assertThat(episode.onFailure(at(70))).contains(Duration.ofSeconds(60));
        assertThat(episode.onFailure(at(71))).isEmpty();
        assertThat(episode.onSuccess(at(80))).contains(Duration.ofSeconds(70));
        assertThat(episode.onSuccess(at(81))).isEmpty();
    }

    @Test
    void anAlternatingFailureIsLoggedOncePerMinute() {
        assertThat(episode.onFailure(at(0))).isPresent();
        assertThat(episode.onSuccess(at(1))).isPresent();
        for (int second = 2; second < 60; second += 2) {
            assertThat(episode.onFailure(at(second))).isEmpty();
            assertThat(episode.onSuccess(at(second + 1))).isEmpty();
        }
        assertThat(episode.onFailure(at(61))).contains(Duration.ZERO);
        assertThat(episode.onSuccess(at(62))).contains(Duration.ofSeconds(1));
    }

    /** Times of System.nanoTime may be negative. */
    private static long at(int second) {
        return Duration.ofSeconds(second).toNanos() - Duration.ofSeconds(30).toNanos();
    }
}
