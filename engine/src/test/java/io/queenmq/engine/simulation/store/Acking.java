package io.queenmq.engine.simulation.store;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The routines ack, nack, held and report_presence: acknowledgments of messages, and ended leases. */
final class Acking {
    private final Database database;
    private final Progress progress;

    Acking(Database database, Progress progress) {
        this.database = database;
        this.progress = progress;
    }

    Answer ack(Arguments arguments) {
        UUID[] ids = arguments.uuids("partition_ids");
        Answer answer = new Answer(Signature.of("ack").columns());
        for (int i = 0; i < ids.length; i++) {
            Cursor cursor = database.cursors.find(ids[i], arguments.strings("group_names")[i]);
            if (cursor != null) {
                boolean isLive = isHeldBy(cursor, arguments.uuids("lease_ids")[i]);
                if (isLive) {
                    progress.advance(cursor, completed(cursor, arguments.strings("completed")[i]), 0, 0);
                }
                answer.add(i + 1, isLive, !cursor.isHeld(), cursor.committed(), cursor.acked().textOrNull(),
                        database.locks.isLocked(cursor));
            }
        }
        return answer;
    }

    /** Returns true if acks under the lease take effect: it is live, and no other transaction locks the cursor. */
    private boolean isHeldBy(Cursor cursor, UUID leaseId) {
        return !database.locks.isLocked(cursor) && cursor.isLive(leaseId, database.now());
    }

    /** A failed message under a live lease. */
    private record Item(int index, int holder, Cursor cursor, long offset, String status, String error) {}

    Answer nack(Arguments arguments) {
        return nack(new ItemArguments(arguments, "partition_ids", "group_names", "lease_ids"));
    }

    /** The common arguments of nack and transact. */
    record ItemArguments(UUID[] partitionIds, String[] groups, UUID[] leaseIds, String[] completed, Integer[] holders,
            Long[] offsets, String[] statuses, String[] errors) {
        ItemArguments(Arguments arguments, String partitionIds, String groups, String leaseIds) {
            this(arguments.uuids(partitionIds), arguments.strings(groups), arguments.uuids(leaseIds),
                    arguments.strings("completed"), arguments.integers("message_lease_indexes"),
                    arguments.longs("message_offsets"), arguments.strings("statuses"), arguments.strings("errors"));
        }

        /** Returns the cursor of each holder; null if it does not exist. */
        List<Cursor> cursors(Database database) {
            List<Cursor> cursors = new ArrayList<>();
            for (int i = 0; i < partitionIds.length; i++) {
                cursors.add(database.cursors.find(partitionIds[i], groups[i]));
            }
            return cursors;
        }
    }

    Answer nack(ItemArguments sent) {
        long now = database.now();
        List<Cursor> cursors = sent.cursors(database);
        List<Item> items = items(sent, cursors);
        boolean[] isLive = new boolean[cursors.size()];
        Ranges[] finished = new Ranges[cursors.size()];
        int[] dead = new int[cursors.size()];
        for (int i = 0; i < isLive.length; i++) {
            isLive[i] = cursors.get(i) != null && isHeldBy(cursors.get(i), sent.leaseIds[i]);
            finished[i] = isLive[i] ? completed(cursors.get(i), sent.completed[i]) : Ranges.NONE;
        }
        List<Cursor> again = new ArrayList<>();
        List<Boolean> deaths = new ArrayList<>();
        for (Item item : items) {
            boolean isDead = apply(item, now);
            deaths.add(isDead);
            if (isDead) {
                finished[item.holder - 1] = finished[item.holder - 1].plus(Ranges.of(item.offset));
                dead[item.holder - 1]++;
            } else {
                again.add(item.cursor);
            }
        }

        Answer answer = new Answer(Signature.of("nack").columns());
        for (int i = 0; i < isLive.length; i++) {
            Cursor cursor = cursors.get(i);
            if (isLive[i]) {
                progress.advance(cursor, finished[i], dead[i], 0);
                if (again.contains(cursor)) {
                    cursor.endLease(LeaseEnd.FAILED, now);
                    cursor.restUntilFirstIsDue();
                }
            }
            if (cursor != null) {
                answer.add(i + 1, null, isLive[i], !cursor.isHeld(), cursor.committed(), cursor.acked().textOrNull(),
                        false, database.locks.isLocked(cursor));
            }
        }
        for (int i = 0; i < items.size(); i++) {
            answer.add(items.get(i).holder, items.get(i).index, true, false, null, null, deaths.get(i), false);
        }
        return answer;
    }

    /** Only unfinished messages of a live lease can fail. */
    private List<Item> items(ItemArguments sent, List<Cursor> cursors) {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < sent.offsets.length; i++) {
            int holder = sent.holders[i];
            Cursor cursor = cursors.get(holder - 1);
            if (cursor != null && isInLiveLease(cursor, sent.leaseIds[holder - 1], sent.offsets[i])) {
                items.add(new Item(i + 1, holder, cursor, sent.offsets[i], sent.statuses[i], sent.errors[i]));
            }
        }
        return items;
    }

    boolean isInLiveLease(Cursor cursor, UUID leaseId, long offset) {
        return isHeldBy(cursor, leaseId) && !cursor.isFinished(offset) && offset < cursor.leaseEnd();
    }

    /** Returns true if the message becomes a dead letter. */
    private boolean apply(Item item, long now) {
        Cursor cursor = item.cursor;
        QueueRow queue = cursor.partition().queue();
        int attempts = cursor.attempts(item.offset) + 1;
        boolean isDead = switch (item.status) {
            case "failed" -> Attempts.isDead(attempts, queue);
            case "dlq" -> true;
            default -> false;
        };
        if (item.status.equals("failed")) {
            cursor.charge(item.offset, item.error, Attempts.retryAt(attempts, queue, now), now);
        }
        if (isDead) {
            database.deadLetters.add(cursor.partition(), cursor.group(), item.offset, attempts, item.error, now);
        }
        return isDead;
    }

    private static Ranges completed(Cursor cursor, String text) {
        return Ranges.parse(text).times(Ranges.of(cursor.committed(), cursor.leaseEnd()));
    }

    Answer held(Arguments arguments) {
        UUID[] ids = arguments.uuids("partition_ids");
        String[] groups = arguments.strings("group_names");
        long lookBack = arguments.integer("look_back");
        Answer answer = new Answer(Signature.of("load_leases").columns());
        for (int i = 0; i < ids.length; i++) {
            Partition partition = database.partitions.find(ids[i]);
            Cursor cursor = database.cursors.find(ids[i], groups[i]);
            if (partition != null && cursor == null) {
                answer.add(i + 1, partition.queue().name(), partition.name(), null, null, null, null, null, null, null);
            } else if (partition != null) {
                List<Segment> segments = coveredBy(cursor, lookBack);
                answer.add(i + 1, partition.queue().name(), partition.name(), cursor.leaseId(),
                        Moments.of(cursor.leaseUntil()), cursor.committed(), cursor.leaseEnd(),
                        cursor.acked().textOrNull(), segments.isEmpty() ? null : segments.getFirst().base(),
                        segments.isEmpty() ? null : Answer.buffer(Pushing.join(segments)));
            }
        }
        return answer;
    }

    /** Ignores the consumers; returns the ended leases. */
    Answer reportPresence(Arguments arguments) {
        UUID[] leaseIds = arguments.uuids("lease_ids");
        Answer answer = new Answer(Signature.of("report_presence").columns());
        for (int i = 0; i < leaseIds.length; i++) {
            Cursor cursor = database.cursors.find(arguments.uuids("lease_partition_ids")[i],
                    arguments.strings("lease_group_names")[i]);
            if (cursor == null || !leaseIds[i].equals(cursor.leaseId())) {
                answer.add(i + 1);
            }
        }
        return answer;
    }

    /**
     * Returns the hashes from some finished messages on, up to the end of the lease or the last finished message,
     * whichever is greater.
     */
    private static List<Segment> coveredBy(Cursor cursor, long lookBack) {
        long end = Math.max(Math.max(cursor.committed(), cursor.acked().end()),
                cursor.isHeld() ? cursor.leaseEnd() : Long.MIN_VALUE);
        Segment oldest = cursor.partition().segmentAt(cursor.committed() - lookBack);
        long from = oldest == null ? 0 : oldest.base();
        return cursor.partition().segmentList().stream()
                .filter(segment -> segment.base() < end && segment.base() >= from).toList();
    }
}
