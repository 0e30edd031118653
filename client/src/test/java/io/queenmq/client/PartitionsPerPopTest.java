package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The adaption of the number of partitions per pop. */
class PartitionsPerPopTest {
    private static final long QUICK = Duration.ofMillis(1).toNanos();
    private static final long SLOW = Duration.ofSeconds(1).toNanos();

    private final PartitionsPerPop partitionsPerPop = new PartitionsPerPop(0);

    @Test
    void manyPartitionsPerPopIfTheyContainFewMessages() {
        assertThat(partitionsPerPop.partitions()).isOne();
        for (int pop = 0; pop < 10; pop++) {
            partitionsPerPop.adapt(1000, partitionsPerPop.partitions(), partitionsPerPop.partitions(), QUICK);
        }

        assertThat(partitionsPerPop.partitions()).isEqualTo(PartitionsPerPop.PARTITIONS_MAX);
    }

    @Test
    void onePartitionPerPopIfItFillsTheBatch() {
        grow();
        partitionsPerPop.adapt(100, 100, 1, QUICK);

        assertThat(partitionsPerPop.partitions()).isOne();
    }

    @Test
    void fewPartitionsPerPopIfHandlersAreSlow() {
        grow();
        int grown = partitionsPerPop.partitions();
        partitionsPerPop.adapt(1000, grown, grown, SLOW);
        assertThat(partitionsPerPop.partitions()).isEqualTo(grown / 2);
        for (int pop = 0; pop < 10; pop++) {
            partitionsPerPop.adapt(1000, partitionsPerPop.partitions(), partitionsPerPop.partitions(), SLOW);
        }

        assertThat(partitionsPerPop.partitions()).isOne();
    }

    @Test
    void anEmptyPopChangesNothing() {
        grow();
        int grown = partitionsPerPop.partitions();
        partitionsPerPop.adapt(1000, 0, 0, 0);
        partitionsPerPop.adapt(1000, 1, 1, QUICK);

        assertThat(partitionsPerPop.partitions()).isEqualTo(grown);
    }

    @Test
    void aFixedNumberIsNotAdapted() {
        PartitionsPerPop fixed = new PartitionsPerPop(7);
        fixed.adapt(1000, 7, 7, QUICK);
        fixed.adapt(1000, 7, 7, SLOW);

        assertThat(fixed.partitions()).isEqualTo(7);
    }

    private void grow() {
        for (int pop = 0; pop < 5; pop++) {
            partitionsPerPop.adapt(1000, partitionsPerPop.partitions(), partitionsPerPop.partitions(), QUICK);
        }
        assertThat(partitionsPerPop.partitions()).isEqualTo(32);
    }
}
