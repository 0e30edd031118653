package io.queenmq.server.lane;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * What was pushed or read lately, so that a consumer near the head causes no read. Segments never change, so nothing
 * here can be stale. Bounded by bytes: the oldest entry goes first. Owned by the engine loop.
 */
public final class SegmentCache {
    /** What a segment costs beside its body: the objects that hold it. */
    private static final int OVERHEAD_BYTES = 120;

    private final long bytesMax;
    private final Map<UUID, SegmentRow> lanes = new HashMap<>();
    private final ArrayDeque<Entry> byAge = new ArrayDeque<>();
    private long bytes;
    private long hits;
    private long misses;

    public SegmentCache(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    public void add(UUID partitionId, Segment segment) {
        SegmentRow row = lanes.computeIfAbsent(partitionId, _ -> new SegmentRow(partitionId));
        if (row.add(segment)) {
            byAge.add(new Entry(row, segment));
            bytes += cost(segment);
            while (bytes > bytesMax && !byAge.isEmpty()) {
                evict(byAge.poll());
            }
        }
    }

    /** The segment that holds this offset, or null. */
    public Segment find(UUID partitionId, long offset) {
        SegmentRow row = lanes.get(partitionId);
        Segment segment = row == null ? null : row.find(offset);
        if (segment == null) {
            misses++;
        } else {
            hits++;
        }
        return segment;
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

    private void evict(Entry entry) {
        bytes -= cost(entry.segment);
        entry.row.remove(entry.segment);
        if (entry.row.isEmpty()) {
            lanes.remove(entry.row.partitionId());
        }
    }

    private static long cost(Segment segment) {
        return segment.body().length + (long) segment.count() * Long.BYTES + OVERHEAD_BYTES;
    }

    private record Entry(SegmentRow row, Segment segment) {}
}
