package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How many lanes a worker asks for, from what came. */
class LaneAppetiteTest {
    private static final long QUICK = Duration.ofMillis(1).toNanos();
    private static final long SLOW = Duration.ofSeconds(1).toNanos();

    private final LaneAppetite appetite = new LaneAppetite(0);

    @Test
    void lanesThatHoldLittleAreFetchedManyAtATime() {
        assertThat(appetite.lanes()).isOne();
        for (int pop = 0; pop < 10; pop++) {
            appetite.learn(1000, appetite.lanes(), appetite.lanes(), QUICK);
        }

        assertThat(appetite.lanes()).isEqualTo(LaneAppetite.LANES_MAX);
    }

    @Test
    void aLaneThatFillsTheBatchIsEnough() {
        grow();
        appetite.learn(100, 100, 1, QUICK);

        assertThat(appetite.lanes()).isOne();
    }

    @Test
    void aHandlerThatTakesItsTimeGetsFewLanesSoThatOtherWorkersGetTheRest() {
        grow();
        int grown = appetite.lanes();
        appetite.learn(1000, grown, grown, SLOW);
        assertThat(appetite.lanes()).isEqualTo(grown / 2);
        for (int pop = 0; pop < 10; pop++) {
            appetite.learn(1000, appetite.lanes(), appetite.lanes(), SLOW);
        }

        assertThat(appetite.lanes()).isOne();
    }

    @Test
    void nothingIsLearntFromNothing() {
        grow();
        int grown = appetite.lanes();
        appetite.learn(1000, 0, 0, 0);
        appetite.learn(1000, 1, 1, QUICK);

        assertThat(appetite.lanes()).isEqualTo(grown);
    }

    @Test
    void whoSaysHowManyGetsThatMany() {
        LaneAppetite fixed = new LaneAppetite(7);
        fixed.learn(1000, 7, 7, QUICK);
        fixed.learn(1000, 7, 7, SLOW);

        assertThat(fixed.lanes()).isEqualTo(7);
    }

    private void grow() {
        for (int pop = 0; pop < 5; pop++) {
            appetite.learn(1000, appetite.lanes(), appetite.lanes(), QUICK);
        }
        assertThat(appetite.lanes()).isEqualTo(32);
    }
}
