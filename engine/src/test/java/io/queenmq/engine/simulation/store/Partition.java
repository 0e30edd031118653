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

    /** Returns the time of the last push; null if there was none. */
    Long lastPushAt() {
        return lastPushAt;
    }

    long activeAt() {
        return activeAt;
    }

    /** Returns the offsets that operators removed and that retention has not deleted yet. */
    Ranges removed() {
        return removed;
    }

    boolean isPaused() {
        return isPaused;
    }

    void setPaused(boolean isPaused) {
        this.isPaused = isPaused;
    }

    /** Appends messages. Times never decrease within a partition. */
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

    /** Returns the bytes of the largest line since the partition was last empty; null if unknown. */
    Integer largestLine() {
        return largestLine;
    }

    /** Returns the result of the routine end_within. */
    long endWithin(long first, long end, long byteLimit) {
        long filled = 0;
        for (Segment segment : segmentsFrom(first)) {
            if (segment.base() < end && segment.end() > first) {
                long mean = (segment.body().length + segment.count() - 1) / segment.count();
                long start = Math.max(segment.base(), first);
                long count = Math.min(segment.end(), end) - start;
                long fitting = (byteLimit - filled) / mean;
                if (fitting < count) {
                    return Math.max(start + fitting, first + 1);
                }
                filled += count * mean;
            }
        }
        return end;
    }

    /** Updates active_at, which follows the pushes of servers in steps. */
    void followActivity(long now) {
        if (activeAt < now - ACTIVE_STEP) {
            activeAt = now;
        }
    }

    void markActive(long now) {
        activeAt = now;
    }

    /** Returns the segments that may contain messages from an offset on, in order. */
    Iterable<Segment> segmentsFrom(long first) {
        Long base = segments.floorKey(first);
        return segments.tailMap(base == null ? first : base, true).values();
    }

    Iterable<Segment> segments() {
        return segments.values();
    }

    /** Returns the segment that begins at the offset, or the last one before it; null if there is none. */
    Segment segmentAt(long offset) {
        var entry = segments.floorEntry(offset);
        return entry == null ? null : entry.getValue();
    }

    /** Returns the first stored message that is not older than a time; the head if all are. */
    long offsetAt(long moment) {
        return Math.max(tail,
                segments.values().stream().filter(segment -> segment.end() > tail && segment.createdAt() >= moment)
                        .mapToLong(Segment::base).findFirst().orElse(head));
    }

    void remove(long offset) {
        removed = removed.plus(Ranges.of(offset));
        tail = removed.endOfRunAt(tail);
    }

    /** Deletes all messages before the offset. */
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
