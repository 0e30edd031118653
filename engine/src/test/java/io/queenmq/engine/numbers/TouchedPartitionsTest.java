package io.queenmq.engine.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class TouchedPartitionsTest {
    private final TouchedPartitions touched = new TouchedPartitions();

    @Test
    void aPartitionIsRecordedOnceAndRemovedWhenTaken() {
        UUID partition = UUID.randomUUID();
        touched.add("orders", partition);
        touched.add("orders", partition);

        assertThat(touched.take().queueByPartition()).containsOnlyKeys(partition);
        assertThat(touched.isEmpty()).isTrue();
    }

    @Test
    void beyondTheMaximumOnlyTheQueueIsRecorded() {
        UUID known = UUID.randomUUID();
        touched.add("orders", known);
        fill();

        touched.add("orders", known);
        assertThat(touched.take().queues()).isEmpty();

        fill();
        touched.add("orders", UUID.randomUUID());
        TouchedPartitions.Batch taken = touched.take();
        assertThat(taken.queues()).containsExactly("orders");
        assertThat(taken.queueByPartition()).hasSize(TouchedPartitions.PARTITIONS_MAX);
    }

    @Test
    void restoredPartitionsAreRecordedWithNewOnesWithinTheMaximum() {
        UUID partition = UUID.randomUUID();
        touched.add("orders", partition);
        TouchedPartitions.Batch lost = touched.take();
        UUID later = UUID.randomUUID();
        touched.add("invoices", later);
        touched.restore(lost);
        assertThat(touched.take().queueByPartition()).containsOnlyKeys(partition, later);

        fill();
        touched.restore(lost);
        TouchedPartitions.Batch taken = touched.take();
        assertThat(taken.queueByPartition()).hasSize(TouchedPartitions.PARTITIONS_MAX).doesNotContainKey(partition);
        assertThat(taken.queues()).containsExactly("orders");
    }

    private void fill() {
        TouchedPartitions.Batch full = touched.take();
        while (full.queueByPartition().size() < TouchedPartitions.PARTITIONS_MAX) {
            full.queueByPartition().put(UUID.randomUUID(), "others");
        }
        touched.restore(full);
    }
}
