package io.queenmq.engine.partition;

import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The cached segments of one partition in offset order. Most are added at the end and removed at the start, so an array with
 * unused positions at both ends contains them. Owned by the engine loop.
 */
final class SegmentRow {
    private final UUID partitionId;
    /** The entries at positions {@link #from} to {@link #to} - 1 are never null. */
    private @Nullable CachedSegment[] segments = new CachedSegment[2];
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

    /** Returns false if a segment with the same base is present. */
    boolean add(CachedSegment segment) {
        int at = position(segment.base());
        if (at < to && at(at).base() == segment.base()) {
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

    @Nullable
    Segment find(long offset) {
        int at = position(offset);
        if (at < to && at(at).base() == offset) {
            return at(at).segment();
        }
        return at > from && offset < at(at - 1).segment().end() ? at(at - 1).segment() : null;
    }

    /** Returns the segment with the lowest offsets. Must not be called on an empty row. */
    CachedSegment first() {
        return at(from);
    }

    private CachedSegment at(int position) {
        return Objects.requireNonNull(segments[position]);
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

    /** Returns the position of the first segment that begins at or after this offset. */
    private int position(long offset) {
        if (from == to || at(to - 1).base() < offset) {
            return to;
        }
        int low = from;
        int high = to - 1;
        while (low < high) {
            int middle = low + high >>> 1;
            if (at(middle).base() < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
