package io.queenmq.engine.ack;

import io.queenmq.engine.partition.OffsetSet;

/**
 * The messages of a partition that a group has finished.
 *
 * @param committed all messages before this offset
 * @param acked messages at or behind that offset
 */
record Finished(long committed, OffsetSet acked) {
    static final Finished NONE = new Finished(0, OffsetSet.NONE);

    boolean contains(long offset) {
        return offset < committed || acked.contains(offset);
    }
}
