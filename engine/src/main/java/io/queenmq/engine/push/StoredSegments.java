package io.queenmq.engine.push;

import io.queenmq.engine.partition.Arrivals;
import io.queenmq.engine.partition.Segment;
import io.queenmq.engine.partition.SegmentCache;

/** Handles segments that were stored by pushes, transactions and cycles. Owned by the engine loop. */
public final class StoredSegments {
    private final PushPartitions partitions;
    private final SegmentCache cache;
    private final Arrivals arrivals;

    public StoredSegments(PushPartitions partitions, SegmentCache cache, Arrivals arrivals) {
        this.partitions = partitions;
        this.cache = cache;
        this.arrivals = arrivals;
    }

    /** Counts the messages and adds them to the duplicate window. Must be called before the partition is freed. */
    public void record(PushPartition partition, Segment segment, boolean isFirst) {
        partition.numbers().pushed(partition.id(), segment.count(), isFirst);
        partition.stored(segment);
        partitions.trim(partition, segment.createdAtMicros());
    }

    /** Signals the arrival to waiting pops. Must be called after the producers were answered. */
    public void announce(PushPartition partition, Segment segment) {
        if (arrivals.pushed(partition.queue(), partition.name(), partition.id(), segment.end())) {
            cache.add(partition.id(), segment);
        }
    }

    /** Drops what was loaded from the database, which has another history. Pending pushes are checked again. */
    public void reset() {
        partitions.reset();
        cache.clear();
    }
}
