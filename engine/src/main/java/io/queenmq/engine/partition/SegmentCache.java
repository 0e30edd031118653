package io.queenmq.engine.partition;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A cache of segments that were pushed or read recently, so that consumers near the head cause no read. Segments never change
 * within one history of the database, so no entry can be stale. Bounded by bytes: the oldest entry is evicted first, and
 * segments that every group has finished are evicted at once. Owned by the engine loop.
 */
public final class SegmentCache {
    /** The approximate size of the objects of an entry, without its body and hashes. */
    private static final int OVERHEAD_BYTES = 120;

    private final long bytesMax;
    private final Map<UUID, SegmentRow> partitions = new HashMap<>();
    private @Nullable CachedSegment oldest;
    private @Nullable CachedSegment newest;
    private long bytes;
    private long hits;
    private long misses;

    public SegmentCache(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    public void add(UUID partitionId, Segment segment) {
        CachedSegment added = new CachedSegment(partitions.computeIfAbsent(partitionId, SegmentRow::new), segment);
        if (added.row().add(added)) {
            connect(newest, added);
            connect(added, null);
            bytes += cost(segment);
            while (bytes > bytesMax && oldest != null) {
                evict(oldest);
            }
        }
    }

    /** Removes the segments of a partition that end at or before this offset. Every group that reads here has finished them. */
    public void removeBefore(UUID partitionId, long offset) {
        SegmentRow row = partitions.get(partitionId);
        while (row != null && !row.isEmpty() && row.first().segment().end() <= offset) {
            evict(row.first());
        }
    }

    /** Returns the segment that contains this offset; null if it is not cached. */
    public @Nullable Segment find(UUID partitionId, long offset) {
        SegmentRow row = partitions.get(partitionId);
        Segment segment = row == null ? null : row.find(offset);
        if (segment == null) {
            misses++;
        } else {
            hits++;
        }
        return segment;
    }

    /** Removes every segment. Must be called when the database history changes, because offsets may have other messages. */
    public void clear() {
        partitions.clear();
        oldest = null;
        newest = null;
        bytes = 0;
    }

    public long hits() {
        return hits;
    }

    public long misses() {
        return misses;
    }

    public long bytes() {
        return bytes;
    }

    private void evict(CachedSegment entry) {
        connect(entry.older, entry.newer);
        bytes -= cost(entry.segment());
        entry.row().remove(entry);
        if (entry.row().isEmpty()) {
            partitions.remove(entry.row().partitionId());
        }
    }

    /** Links two adjacent entries of the list. Null is the end of the list on either side. */
    private void connect(@Nullable CachedSegment older, @Nullable CachedSegment newer) {
        if (older == null) {
            oldest = newer;
        } else {
            older.newer = newer;
        }
        if (newer == null) {
            newest = older;
        } else {
            newer.older = older;
        }
    }

    private static long cost(Segment segment) {
        return segment.body().length + (long) segment.count() * Long.BYTES + OVERHEAD_BYTES;
    }
}
