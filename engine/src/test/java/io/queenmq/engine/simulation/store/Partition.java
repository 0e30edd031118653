package io.queenmq.engine.simulation.store;

import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/** A row of queen.partition, and its segments. */
final class Partition {
    private static final long ACTIVE_STEP = 10 * Moments.SECOND;

    private final UUID id;
    private final QueueRow queue;
    private final String name;
    private final TreeMap<Long, Segment> segments = new TreeMap<>();
    private long head;
    private long tail;
    private Long lastPushAt;
    private long activeAt;
    private Integer largestLine;
    private Ranges removed = Ranges.NONE;
    private boolean isPaused;

    Partition(UUID id, QueueRow queue, String name, long now) {
        this.id = id;
        this.queue = queue;
        this.name = name;
        this.head = queue.partitionFloor();
        this.tail = queue.partitionFloor();
        this.activeAt = now;
    }

    Partition copy(QueueRow ofQueue) {
        Partition copy = new Partition(id, ofQueue, name, activeAt);
        copy.segments.putAll(segments);
        copy.head = head;
        copy.tail = tail;
        copy.lastPushAt = lastPushAt;
        copy.largestLine = largestLine;
        copy.removed = removed;
        copy.isPaused = isPaused;
        return copy;
    }

    UUID id() {
        return id;
    }

    QueueRow queue() {
        return queue;
    }

    String name() {
        return name;
    }

    long head() {
        return head;
    }

    long tail() {
        return tail;
    }

    /** Null when nobody pushed to it yet. */
    Long lastPushAt() {
        return lastPushAt;
    }

    long activeAt() {
        return activeAt;
    }

    /** What operators removed and retention has not come to yet. */
    Ranges removed() {
        return removed;
    }

    boolean isPaused() {
        return isPaused;
    }

    void setPaused(boolean isPaused) {
        this.isPaused = isPaused;
    }

    /** Adds messages to the end; time never goes back within a partition. */
    Segment append(int count, byte[] hashes, byte[] body, Long[] acceptedAt, int largest, long now) {
        if (head == tail || largestLine != null && largestLine < largest) {
            largestLine = largest;
        }
        Segment segment = new Segment(head, count, Moments.pushedAt(now, lastPushAt), hashes, body, acceptedAt);
        segments.put(head, segment);
        head = segment.end();
        lastPushAt = segment.createdAt();
        return segment;
    }

    /** Bytes of the largest line since the partition was last empty; null when nobody knows. */
    Integer largestLine() {
        return largestLine;
    }

    /** As the routine end_within says it. */
    long endWithin(long first, long end, long room) {
        long filled = 0;
        for (Segment segment : segmentsFrom(first)) {
            if (segment.base() < end && segment.end() > first) {
                long mean = (segment.body().length + segment.count() - 1) / segment.count();
                long start = Math.max(segment.base(), first);
                long count = Math.min(segment.end(), end) - start;
                long fitting = (room - filled) / mean;
                if (fitting < count) {
                    return Math.max(start + fitting, first + 1);
                }
                filled += count * mean;
            }
        }
        return end;
    }

    /** active_at follows the pushes of servers in steps. */
    void followActivity(long now) {
        if (activeAt < now - ACTIVE_STEP) {
            activeAt = now;
        }
    }

    void markActive(long now) {
        activeAt = now;
    }

    /** The segments whose messages may be among those from an offset on, in order. */
    Iterable<Segment> segmentsFrom(long first) {
        Long base = segments.floorKey(first);
        return segments.tailMap(base == null ? first : base, true).values();
    }

    Iterable<Segment> segments() {
        return segments.values();
    }

    /** The segment that begins at the offset or last before it; null where there is none. */
    Segment segmentAt(long offset) {
        var entry = segments.floorEntry(offset);
        return entry == null ? null : entry.getValue();
    }

    /** The first kept message that is not older than a moment; the head where all are. */
    long offsetAt(long moment) {
        return Math.max(tail, segments.values().stream()
                .filter(segment -> segment.end() > tail && segment.createdAt() >= moment).mapToLong(Segment::base)
                .findFirst().orElse(head));
    }

    void remove(long offset) {
        removed = removed.plus(Ranges.of(offset));
        tail = removed.endOfRunAt(tail);
    }

    /** Nothing before the offset is kept any more. */
    void moveTail(long to) {
        tail = removed.endOfRunAt(Math.max(tail, to));
        removed = removed.minus(Ranges.before(to));
        segments.values().removeIf(segment -> segment.base() < to && segment.end() <= to);
    }

    void clear() {
        tail = head;
        removed = Ranges.NONE;
        segments.clear();
    }

    @Override
    public String toString() {
        return queue.name() + "/" + name + " [" + tail + "," + head + ") " + segments.values().stream()
                .map(segment -> segment.base() + "+" + segment.count()).collect(Collectors.joining(" "));
    }

    List<Segment> segmentList() {
        return List.copyOf(segments.values());
    }
}
