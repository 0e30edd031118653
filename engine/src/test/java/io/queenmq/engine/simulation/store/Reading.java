package io.queenmq.engine.simulation.store;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/** The routines fetch, resolve, has_pending, open_cursors and subscribe. */
final class Reading {
    /** active_at lags behind the last push by up to ten seconds. */
    private static final int LAG_S = 10;

    private final Database database;

    Reading(Database database) {
        this.database = database;
    }

    Answer fetch(Arguments arguments) {
        UUID[] ids = arguments.uuids("partition_ids");
        Answer answer = new Answer(List.of("index", "base", "count", "created_at", "hashes", "body"));
        long bytes = 0;
        for (int i = 0; i < ids.length; i++) {
            Partition partition = database.partitions.find(ids[i]);
            long first = arguments.longs("firsts")[i];
            long end = arguments.longs("ends")[i];
            if (partition == null) {
                continue;
            }
            for (Segment segment : partition.segmentsFrom(first)) {
                if (segment.base() >= end || segment.end() <= first || first >= end) {
                    continue;
                }
                if (bytes >= arguments.number("bytes_max")) {
                    answer.add(i + 1, Math.max(first, segment.base()), 0, null, null, null);
                    break;
                }
                bytes += segment.body().length;
                answer.add(i + 1, segment.base(), segment.count(), Moments.of(segment.createdAt()),
                        Answer.buffer(segment.hashes()), Answer.buffer(segment.body()));
            }
        }
        return answer;
    }

    Answer resolve(Arguments arguments) {
        long now = database.now();
        UUID queueId = arguments.uuid("queue_id");
        String group = arguments.string("group_name");
        Integer lookBack = arguments.integer("look_back_s");
        int page = arguments.integer("page");
        Answer answer = new Answer(Signature.of("resolve").columns());
        if (lookBack != null) {
            database.partitions.of(queueId).stream().filter(database::isHere)
                    .filter(partition -> isRecent(partition, lookBack, now) && isPending(partition, group))
                    .sorted(Comparator.comparingLong(Partition::activeAt).reversed()).limit(page)
                    .forEach(partition -> answer.add(partition.id(), partition.name(), true,
                            freeIn(partition, group, now)));
            return answer;
        }
        List<Partition> partitions = database.partitions.of(queueId).stream().filter(database::isHere)
                .filter(partition -> partition.name().compareTo(arguments.string("after_name")) > 0).limit(page)
                .toList();
        for (Partition partition : partitions) {
            boolean isPending = isPending(partition, group);
            // The last examined partition is always the last row, so that the caller can continue from it.
            if (isPending || partition == partitions.getLast()) {
                answer.add(partition.id(), partition.name(), isPending, freeIn(partition, group, now));
            }
        }
        return answer;
    }

    Answer hasPending(Arguments arguments) {
        long now = database.now();
        UUID[] queueIds = arguments.uuids("queue_ids");
        Answer answer = new Answer(Signature.of("has_pending").columns());
        for (int i = 0; i < queueIds.length; i++) {
            UUID partitionId = arguments.uuids("partition_ids")[i];
            String group = arguments.strings("group_names")[i];
            Integer lookBack = arguments.integers("look_back_seconds")[i];
            Partition partition = database.partitions.find(partitionId);
            if (partitionId != null
                    ? partition != null && isFree(partition, group, now)
                    : database.partitions.of(queueIds[i]).stream().anyMatch(each -> database.isHere(each)
                            && isRecent(each, lookBack, now) && isFree(each, group, now))) {
                answer.add(i + 1);
            }
        }
        return answer;
    }

    private static boolean isRecent(Partition partition, int lookBack, long now) {
        return partition.activeAt() >= now - (lookBack + LAG_S) * Moments.SECOND;
    }

    private boolean isPending(Partition partition, String group) {
        Cursor cursor = database.cursors.find(partition.id(), group);
        return !partition.isPaused() && (cursor == null ? partition.tail() : cursor.position()) < partition.head();
    }

    private boolean isFree(Partition partition, String group, long now) {
        Cursor cursor = database.cursors.find(partition.id(), group);
        return isPending(partition, group)
                && (cursor == null || !cursor.isLive(now) && (cursor.retryAt() == null || cursor.retryAt() <= now));
    }

    /** Returns the time for which the partition cannot be leased; null if it can. */
    private Long freeIn(Partition partition, String group, long now) {
        Cursor cursor = database.cursors.find(partition.id(), group);
        if (cursor == null) {
            return null;
        }
        long until = Math.max(cursor.isHeld() ? cursor.leaseUntil() : Long.MIN_VALUE,
                cursor.retryAt() == null ? Long.MIN_VALUE : cursor.retryAt());
        return until > now ? Moments.millisUntil(until, now) : null;
    }

    Answer openCursors(Arguments arguments) {
        UUID[] ids = arguments.uuids("partition_ids");
        String[] groups = arguments.strings("group_names");
        OffsetDateTime[] fromAts = arguments.moments("from_ats");
        List<Cursor> opened = new ArrayList<>();
        Answer answer = new Answer(Signature.of("open_cursors").columns());
        for (int i = 0; i < ids.length; i++) {
            Partition partition = database.partitions.find(ids[i]);
            if (partition == null || database.locks.isLocked(partition.queue())) {
                continue;
            }
            answer.add(i + 1);
            if (!database.locks.isPartitionLockedByUpkeep(partition.id()) && database.cursors.add(partition, groups[i],
                    start(partition, groups[i], Moments.micros(fromAts[i])))) {
                opened.add(database.cursors.find(partition.id(), groups[i]));
            }
        }
        opened.forEach(this::subscribeNameless);
        database.sizes.raise(opened);
        return answer;
    }

    /** Opens cursors that a lease may find missing, where no lock must be awaited, and returns them. */
    List<Cursor> openFreeCursors(Arguments arguments) {
        UUID[] ids = arguments.uuids("partition_ids");
        String[] groups = arguments.strings("group_names");
        Boolean[] opens = arguments.booleans("opens");
        OffsetDateTime[] fromAts = arguments.moments("from_ats");
        List<Cursor> opened = new ArrayList<>();
        for (int i = 0; i < ids.length; i++) {
            Partition partition = database.partitions.find(ids[i]);
            if (Boolean.TRUE.equals(opens[i]) && partition != null && !database.locks.isLocked(partition.queue())
                    && !database.locks.isPartitionLockedByUpkeep(partition.id())
                    && !database.sizes.isKept(partition.queue()) && database.cursors.add(partition, groups[i],
                            start(partition, groups[i], Moments.micros(fromAts[i])))) {
                opened.add(database.cursors.find(partition.id(), groups[i]));
            }
        }
        opened.forEach(this::subscribeNameless);
        return opened;
    }

    /** Subscribes the group of every reader of a queue, also for requests that name no group. */
    private void subscribeNameless(Cursor cursor) {
        if (cursor.group().equals(Database.NO_GROUP)) {
            database.subscriptions.add(
                    new SubscriptionTable.Key(cursor.group(), cursor.partition().queue().name(), "", ""),
                    new SubscriptionTable.Subscription("all", null, database.now()));
        }
    }

    /** Returns the start position of a group in a partition. Messages that expired before its subscription are skipped. */
    private long start(Partition partition, String group, Long wanted) {
        SubscriptionTable.Subscription own = database.subscriptions.toQueue(group, partition.queue());
        Long fromAt = own == null ? wanted : own.fromAt();
        Integer age = partition.queue().evictionSeconds();
        Long notBefore = age == null
                ? null
                : Long.valueOf(
                        database.subscriptions.subscribedAt(group, partition.queue().name()).orElse(database.now())
                                - age * Moments.SECOND);
        if (fromAt == null && notBefore == null) {
            return partition.tail();
        }
        return partition.offsetAt(
                Math.max(fromAt == null ? Long.MIN_VALUE : fromAt, notBefore == null ? Long.MIN_VALUE : notBefore));
    }

    Answer subscribe(Arguments arguments) {
        SubscriptionTable.Key key = new SubscriptionTable.Key(arguments.string("group_name"),
                arguments.string("queue_name"), arguments.string("namespace"), arguments.string("task"));
        boolean isToBePlaced = arguments.string("mode").equals("new") && database.subscriptions.find(key) == null;
        List<QueueRow> queues = !isToBePlaced
                ? List.of()
                : database.catalog.queues().stream().filter(key::covers)
                        // A start position that an operator has set before takes precedence.
                        .filter(queue -> !key.queue().isEmpty()
                                || !database.subscriptions.hasToQueue(key.group(), queue))
                        .toList();
        queues.forEach(database.locks::requireFree);
        database.subscriptions.add(key, new SubscriptionTable.Subscription(arguments.string("mode"),
                Moments.micros(arguments.moment("from_at")), database.now()));
        database.subscriptions.markAsReading(key.group(),
                name -> key.queue().isEmpty()
                        ? database.catalog.find(name) != null && key.covers(database.catalog.find(name))
                        : key.queue().equals(name));
        for (Partition partition : database.partitions.all()) {
            if (queues.contains(partition.queue()) && partition.head() > 0) {
                database.cursors.add(partition, key.group(), partition.head());
            }
        }
        SubscriptionTable.Subscription inForce = database.subscriptions.find(key);
        return new Answer(Signature.of("subscribe").columns()).add(inForce.mode(), Moments.of(inForce.fromAt()));
    }
}
