package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How many partitions a worker asks for, from what came. */
class PartitionAppetiteTest {
    private static final long QUICK = Duration.ofMillis(1).toNanos();
    private static final long SLOW = Duration.ofSeconds(1).toNanos();

    private final PartitionAppetite appetite = new PartitionAppetite(0);

    @Test
    void partitionsThatHoldLittleAreFetchedManyAtATime() {
        assertThat(appetite.partitions()).isOne();
        for (int pop = 0; pop < 10; pop++) {
            appetite.learn(1000, appetite.partitions(), appetite.partitions(), QUICK);
        }

        assertThat(appetite.partitions()).isEqualTo(PartitionAppetite.PARTITIONS_MAX);
    }

    @Test
    void aPartitionThatFillsTheBatchIsEnough() {
        grow();
        appetite.learn(100, 100, 1, QUICK);

        assertThat(appetite.partitions()).isOne();
    }

    @Test
    void aHandlerThatTakesItsTimeGetsFewPartitionsSoThatOtherWorkersGetTheRest() {
        grow();
        int grown = appetite.partitions();
        appetite.learn(1000, grown, grown, SLOW);
        assertThat(appetite.partitions()).isEqualTo(grown / 2);
        for (int pop = 0; pop < 10; pop++) {
            appetite.learn(1000, appetite.partitions(), appetite.partitions(), SLOW);
        }

        assertThat(appetite.partitions()).isOne();
    }

    @Test
    void nothingIsLearntFromNothing() {
        grow();
        int grown = appetite.partitions();
        appetite.learn(1000, 0, 0, 0);
        appetite.learn(1000, 1, 1, QUICK);

        assertThat(appetite.partitions()).isEqualTo(grown);
    }

    @Test
    void whoSaysHowManyGetsThatMany() {
        PartitionAppetite fixed = new PartitionAppetite(7);
        fixed.learn(1000, 7, 7, QUICK);
        fixed.learn(1000, 7, 7, SLOW);

        assertThat(fixed.partitions()).isEqualTo(7);
    }

    private void grow() {
        for (int pop = 0; pop < 5; pop++) {
            appetite.learn(1000, appetite.partitions(), appetite.partitions(), QUICK);
        }
        assertThat(appetite.partitions()).isEqualTo(32);
    }
}
