package io.queenmq.engine.catalog;

/** A change that an operator made to something other than the options of a queue. It invalidates cached state. */
public sealed interface Revision {
    /** Invalidates every cached subscription. */
    record SubscriptionsRevised() implements Revision {}

    /** Invalidates the cached state of one partition. */
    record PartitionRevised(String queue, String partition) implements Revision {}

    /**
     * Invalidates the cached state of every partition. The revised partitions are not known: a shard is unreachable, or the
     * last reading is older than the records of revised partitions.
     */
    record PartitionsMissed() implements Revision {}
}
