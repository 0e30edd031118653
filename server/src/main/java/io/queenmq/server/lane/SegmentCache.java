package io.queenmq.server.lane;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What was pushed or read lately, so that a consumer near the head causes no read. Segments never change, so nothing
 * here can be stale. Bounded by bytes: the oldest entry goes first. Owned by the engine loop.
 */
public final class SegmentCache {
    /** What a segment costs beside its body: the objects and the map entry that hold it. */
    private static final int OVERHEAD_BYTES = 200;

    private final long bytesMax;
    private final Map<UUID, TreeMap<Long, Segment>> lanes = new HashMap<>();
    private final ArrayDeque<Entry> byAge = new ArrayDeque<>();
    private long bytes;
    private long hits;
    private long misses;

    public SegmentCache(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    public void add(UUID partitionId, Segment segment) {
        TreeMap<Long, Segment> lane = lanes.computeIfAbsent(partitionId, _ -> new TreeMap<>());
        if (lane.putIfAbsent(segment.base(), segment) == null) {
            byAge.add(new Entry(partitionId, segment));
            bytes += cost(segment);
            while (bytes > bytesMax && !byAge.isEmpty()) {
                evict(byAge.poll());
            }
        }
    }

    /** The segment that holds this offset, or null. */
    public Segment find(UUID partitionId, long offset) {
        TreeMap<Long, Segment> lane = lanes.get(partitionId);
        Map.Entry<Long, Segment> floor = lane == null ? null : lane.floorEntry(offset);
        if (floor != null && offset < floor.getValue().end()) {
            hits++;
            return floor.getValue();
        }
        misses++;
        return null;
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
        TreeMap<Long, Segment> lane = lanes.get(entry.partitionId);
        lane.remove(entry.segment.base());
        if (lane.isEmpty()) {
            lanes.remove(entry.partitionId);
        }
    }

    private static long cost(Segment segment) {
        return segment.body().length + (long) segment.count() * Long.BYTES + OVERHEAD_BYTES;
    }

    private record Entry(UUID partitionId, Segment segment) {}
}
