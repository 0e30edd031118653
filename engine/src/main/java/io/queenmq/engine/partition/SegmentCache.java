package io.queenmq.engine.partition;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * What was pushed or read lately, so that a consumer near the head causes no read. Segments never change within one history of
 * the database, so nothing here can be stale. Bounded by bytes: the oldest entry goes first; what every group has finished goes
 * at once. Owned by the engine loop.
 */
public final class SegmentCache {
    /** What a segment costs beside its body: the objects that hold it. */
    private static final int OVERHEAD_BYTES = 120;

    private final long bytesMax;
    private final Map<UUID, SegmentRow> partitions = new HashMap<>();
    private CachedSegment oldest;
    private CachedSegment newest;
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

    /** Removes the segments of a partition that end at this offset or before it: every group that reads here has finished them. */
    public void removeBefore(UUID partitionId, long offset) {
        SegmentRow row = partitions.get(partitionId);
        while (row != null && !row.isEmpty() && row.first().segment().end() <= offset) {
            evict(row.first());
        }
    }

    /** The segment that holds this offset, or null. */
    public Segment find(UUID partitionId, long offset) {
        SegmentRow row = partitions.get(partitionId);
        Segment segment = row == null ? null : row.find(offset);
        if (segment == null) {
            misses++;
        } else {
            hits++;
        }
        return segment;
    }

    /** Removes everything: another history of the database has other messages at the same offsets. */
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

    /** Null stands for the end of the list on either side. */
    private void connect(CachedSegment older, CachedSegment newer) {
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
