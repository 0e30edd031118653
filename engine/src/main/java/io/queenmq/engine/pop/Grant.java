package io.queenmq.engine.pop;

import io.queenmq.engine.partition.OffsetSet;

/**
 * Messages of a partition that PostgreSQL leased to a pop.
 *
 * @param untilNs the end of the lease, by the monotonic clock of this server
 */
record Grant(GroupPartition partition, Range range, long untilNs) {
    /**
     * The leased offsets.
     *
     * @param acked the offsets in the range that the group has finished; they are not delivered
     * @param isAlone whether the lease must not cover any other message
     * @param bytes the approximate size of the messages
     */
    record Range(long first, long end, OffsetSet acked, Attempts attempts, boolean isAlone, long bytes) {
        int count() {
            return (int) (end - first);
        }
    }
}
