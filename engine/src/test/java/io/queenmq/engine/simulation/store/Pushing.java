package io.queenmq.engine.simulation.store;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Routines push, push_bounded and catch_up. */
final class Pushing {
    private final Database database;
    private long loadedHashes;

    Pushing(Database database) {
        this.database = database;
    }

    /** A segment to append to a partition whose head is at the expected offset. */
    record Addition(int index, Partition partition, int count, byte[] hashes, byte[] body, int largestLine,
            Long[] acceptedAt) {}

    Answer push(Arguments arguments) {
        requireEpoch(arguments);
        Answer answer = new Answer(Signature.of("push").columns());
        Map<UUID, Long> floors = arguments.has("queue_ids") ? begin(arguments) : Map.of();
        for (Addition addition : additions(arguments, "partition_ids", floors)) {
            Segment stored = store(addition, addition.count);
            answer.add(addition.index, stored.base(), Moments.of(stored.createdAt()));
        }
        return answer;
    }

    /** Creates the partitions that this call begins, and returns the first offset of each. */
    private Map<UUID, Long> begin(Arguments arguments) {
        UUID[] ids = arguments.uuids("partition_ids");
        UUID[] queueIds = arguments.uuids("queue_ids");
        Map<UUID, Long> floors = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            if (queueIds[i] != null && database.partitions.find(ids[i]) == null) {
                Partition partition = create(ids[i], database.catalog.find(queueIds[i]), arguments.strings("names")[i]);
                if (partition != null) {
                    floors.put(partition.id(), partition.head());
                }
            }
        }
        return floors;
    }

    /**
     * Returns null if the partition cannot be created: its queue is deleted or being deleted, or another transaction
     * creates it.
     */
    private Partition create(UUID id, QueueRow queue, String name) {
        return queue == null || database.locks.isLocked(queue) || database.locks.isPartitionLocked(id)
                ? null
                : database.partitions.create(id, queue, name, database.now());
    }

    Answer pushBounded(Arguments arguments) {
        Answer answer = new Answer(Signature.of("push_bounded").columns());
        List<Addition> additions = additions(arguments, "partition_ids");
        Allotment allotment = allot(additions, arguments.uuids("queue_ids"));
        if (allotment.fits()) {
            requireEpoch(arguments);
        }
        allotment.sizes.forEach(database.sizes::set);
        for (Addition addition : additions) {
            int allotted = allotment.counts.get(addition);
            Long limit = allotment.limit(addition);
            if (allotted == 0) {
                answer.add(addition.index, null, null, 0, limit);
            } else {
                Segment stored = store(addition, allotted);
                answer.add(addition.index, stored.base(), Moments.of(stored.createdAt()), allotted, limit);
            }
        }
        return answer;
    }

    /**
     * The additions that fit queues with a maxSize.
     *
     * @param counts the number of messages of each addition that fit
     * @param sizes the size of each limited queue afterward
     */
    record Allotment(Map<Addition, Integer> counts, Map<QueueRow, Long> sizes) {
        /** Returns true if any message is stored. */
        boolean fits() {
            return counts.values().stream().anyMatch(count -> count > 0);
        }

        /** Returns the maxSize that applied to the addition; null for none. */
        Long limit(Addition addition) {
            return sizes.containsKey(addition.partition.queue()) ? addition.partition.queue().maxSize() : null;
        }
    }

    /** @param queueIds the queue of each argument if it is limited, else null */
    Allotment allot(List<Addition> additions, UUID[] queueIds) {
        Map<Addition, Integer> counts = new HashMap<>();
        Map<QueueRow, Long> sizes = new HashMap<>();
        if (additions.isEmpty()) {
            // Then the sizes of queues are not read.
            return new Allotment(counts, sizes);
        }
        Arrays.stream(queueIds).filter(Objects::nonNull).distinct().map(database.catalog::find)
                .filter(queue -> queue != null && queue.maxSize() > 0)
                .forEach(queue -> sizes.put(queue,
                        database.sizes.filled(queue, additions.stream().filter(each -> each.partition.queue() == queue)
                                .mapToLong(Addition::count).sum(), database.now())));
        for (Addition addition : additions) {
            QueueRow queue = addition.partition.queue();
            int count = addition.count;
            if (sizes.containsKey(queue)) {
                long filled = sizes.get(queue);
                count = (int) Math.min(count, Math.max(queue.maxSize() - filled, 0));
                sizes.put(queue, filled + count);
            }
            counts.put(addition, count);
        }
        return new Allotment(counts, sizes);
    }

    void requireEpoch(Arguments arguments) {
        if (arguments.number("encryption_epoch") != database.catalog.encryptionEpoch()) {
            throw SqlError.outdated();
        }
    }

    /** Returns the segments that can be appended. A partition that has moved, is locked or does not exist is omitted. */
    List<Addition> additions(Arguments arguments, String idsName) {
        return additions(arguments, idsName, Map.of());
    }

    /** @param floors the offsets from which hashes of partitions are not needed */
    private List<Addition> additions(Arguments arguments, String idsName, Map<UUID, Long> floors) {
        UUID[] ids = arguments.uuids(idsName);
        Long[] knowns = arguments.longs("knowns");
        Integer[] counts = arguments.integers("counts");
        byte[][] hashes = arguments.bytes("hashes");
        byte[][] bodies = arguments.bytes("bodies");
        Integer[] largestLines = arguments.integers("largest_lines");
        List<Addition> additions = new ArrayList<>();
        for (int i = 0; i < ids.length; i++) {
            Partition partition = database.partitions.find(ids[i]);
            long known = floors.getOrDefault(ids[i], knowns[i]);
            if (partition != null && !database.locks.isPartitionLocked(ids[i]) && partition.head() == known) {
                additions.add(new Addition(i + 1, partition, counts[i], hashes[i], bodies[i], largestLines[i],
                        acceptedAt(arguments, i, counts[i])));
            }
        }
        return additions;
    }

    private static Long[] acceptedAt(Arguments arguments, int index, int count) {
        Integer place = arguments.has("accepted_places") ? arguments.integers("accepted_places")[index] : null;
        return place == null
                ? null
                : Arrays.stream(arguments.moments("accepted_ats"), place - 1, place - 1 + count).map(Moments::micros)
                        .toArray(Long[]::new);
    }

    Segment store(Addition addition, int count) {
        long now = database.now();
        boolean isWhole = count == addition.count;
        Segment stored = addition.partition.append(count,
                isWhole ? addition.hashes : Arrays.copyOf(addition.hashes, 8 * count),
                isWhole ? addition.body : Segment.firstLines(addition.body, count),
                addition.acceptedAt == null ? null : Arrays.copyOf(addition.acceptedAt, count), addition.largestLine,
                now);
        addition.partition.followActivity(now);
        database.messages.stored(addition.partition, stored);
        return stored;
    }

    Answer catchUp(Arguments arguments) {
        UUID[] ids = arguments.uuids("partition_ids");
        UUID[] queueIds = arguments.uuids("queue_ids");
        String[] names = arguments.strings("names");
        Long[] knowns = arguments.longs("knowns");
        long windowMessages = arguments.integer("window_messages");
        Integer[] windowSeconds = arguments.integers("window_seconds");
        Answer answer = new Answer(Signature.of("catch_up").columns());
        for (int i = 0; i < ids.length; i++) {
            QueueRow queue = database.catalog.find(queueIds[i]);
            Partition partition = database.partitions.find(ids[i]);
            if (partition == null) {
                partition = create(ids[i], queue, names[i]);
            }
            if (partition != null) {
                long oldest = database.now() - windowSeconds[i] * Moments.SECOND;
                answer.add(newItems(i + 1, partition, knowns[i], windowMessages, oldest));
            } else if (queue != null) {
                answer.add(i + 1, null, null, null, null, null, null, null);
            }
        }
        return answer;
    }

    /** Returns the transactionIds of the partition's duplicate window that the caller does not have yet. */
    private Object[] newItems(int index, Partition partition, long known, long windowMessages, long oldest) {
        Segment start = partition.segmentAt(partition.head() - windowMessages);
        // A segment in which the window begins belongs to it as a whole.
        long from = start == null ? known : Math.max(known, start.base());
        List<Segment> unknown = partition.segmentList().stream()
                .filter(segment -> segment.base() >= from && segment.createdAt() > oldest).toList();
        if (unknown.isEmpty()) {
            return new Object[]{index, partition.head(), partition.tail(), partition.lastPushAt() == null,
                partition.head(), null, null, null};
        }
        loadedHashes += unknown.stream().mapToInt(Segment::count).sum();
        return new Object[]{index, partition.head(), partition.tail(), partition.lastPushAt() == null,
            unknown.getFirst().base(), unknown.stream().map(Segment::count).toArray(Integer[]::new),
            unknown.stream().map(segment -> Moments.of(segment.createdAt())).toArray(OffsetDateTime[]::new),
            Answer.buffer(join(unknown))};
    }

    /** Returns the number of hashes that catch_up has returned to all servers. */
    long loadedHashes() {
        return loadedHashes;
    }

    /** Returns the concatenated hashes of segments. */
    static byte[] join(List<Segment> segments) {
        byte[] joined = new byte[segments.stream().mapToInt(segment -> segment.hashes().length).sum()];
        int at = 0;
        for (Segment segment : segments) {
            System.arraycopy(segment.hashes(), 0, joined, at, segment.hashes().length);
            at += segment.hashes().length;
        }
        return joined;
    }
}
