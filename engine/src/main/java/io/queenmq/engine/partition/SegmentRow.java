package io.queenmq.engine.partition;

import java.util.Arrays;
import java.util.UUID;

/**
 * Segments of one partition in offset order. Most are added behind the last and removed before the first, so they stand in a
 * plain array with room at both ends. Owned by the engine loop.
 */
final class SegmentRow {
    private final UUID partitionId;
    private CachedSegment[] segments = new CachedSegment[2];
    private int from;
    private int to;

    SegmentRow(UUID partitionId) {
        this.partitionId = partitionId;
    }

    UUID partitionId() {
        return partitionId;
    }

    boolean isEmpty() {
        return from == to;
    }

    /** False when it is there already. */
    boolean add(CachedSegment segment) {
        int at = position(segment.base());
        if (at < to && segments[at].base() == segment.base()) {
            return false;
        }
        if (to == segments.length) {
            int gap = from;
            segments = from > segments.length / 2
                    ? Arrays.copyOfRange(segments, from, from + segments.length)
                    : Arrays.copyOfRange(segments, from, from + segments.length * 2);
            from -= gap;
            to -= gap;
            at -= gap;
        }
        System.arraycopy(segments, at, segments, at + 1, to - at);
        segments[at] = segment;
        to++;
        return true;
    }

    Segment find(long offset) {
        int at = position(offset);
        if (at < to && segments[at].base() == offset) {
            return segments[at].segment();
        }
        return at > from && offset < segments[at - 1].segment().end() ? segments[at - 1].segment() : null;
    }

    /** Returns the segment with the lowest offsets; null if there is none. */
    CachedSegment first() {
        return isEmpty() ? null : segments[from];
    }

    void remove(CachedSegment segment) {
        int at = position(segment.base());
        if (at == from) {
            segments[from++] = null;
        } else {
            System.arraycopy(segments, at + 1, segments, at, to - at - 1);
            segments[--to] = null;
        }
    }

    /** Where the first segment stands that begins at this offset or behind it. */
    private int position(long offset) {
        if (from == to || segments[to - 1].base() < offset) {
            return to;
        }
        int low = from;
        int high = to - 1;
        while (low < high) {
            int middle = low + high >>> 1;
            if (segments[middle].base() < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
