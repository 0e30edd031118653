package io.queenmq.server.simulation.store;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/** Routines fetch, resolve, has_pending, open_cursors and subscribe: what there is to read, and from where. */
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
            Lane lane = database.lanes.find(ids[i]);
            long first = arguments.longs("firsts")[i];
            long end = arguments.longs("ends")[i];
            if (lane == null) {
                continue;
            }
            for (Segment segment : lane.segmentsFrom(first)) {
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
            database.lanes.of(queueId).stream().filter(database::isHere)
                    .filter(lane -> isRecent(lane, lookBack, now) && isPending(lane, group))
                    .sorted(Comparator.comparingLong(Lane::activeAt).reversed()).limit(page)
                    .forEach(lane -> answer.add(lane.id(), lane.name(), true, freeIn(lane, group, now)));
            return answer;
        }
        List<Lane> lanes = database.lanes.of(queueId).stream().filter(database::isHere)
                .filter(lane -> lane.name().compareTo(arguments.string("after_name")) > 0).limit(page).toList();
        for (Lane lane : lanes) {
            boolean isPending = isPending(lane, group);
            // The last lane looked at is always the last row, so that the caller can go on from it.
            if (isPending || lane == lanes.getLast()) {
                answer.add(lane.id(), lane.name(), isPending, freeIn(lane, group, now));
            }
        }
        return answer;
    }

    Answer hasPending(Arguments arguments) {
        long now = database.now();
        UUID[] queueIds = arguments.uuids("queue_ids");
        Answer answer = new Answer(Signature.of("has_pending").columns());
        for (int i = 0; i < queueIds.length; i++) {
            UUID laneId = arguments.uuids("partition_ids")[i];
            String group = arguments.strings("group_names")[i];
            Integer lookBack = arguments.integers("look_back_seconds")[i];
            Lane lane = database.lanes.find(laneId);
            if (laneId != null
                    ? lane != null && isFree(lane, group, now)
                    : database.lanes.of(queueIds[i]).stream()
                            .anyMatch(each -> database.isHere(each) && isRecent(each, lookBack, now)
                                    && isFree(each, group, now))) {
                answer.add(i + 1);
            }
        }
        return answer;
    }

    private static boolean isRecent(Lane lane, int lookBack, long now) {
        return lane.activeAt() >= now - (lookBack + LAG_S) * Moments.SECOND;
    }

    private boolean isPending(Lane lane, String group) {
        Cursor cursor = database.cursors.find(lane.id(), group);
        return !lane.isPaused() && (cursor == null ? lane.tail() : cursor.position()) < lane.head();
    }

    private boolean isFree(Lane lane, String group, long now) {
        Cursor cursor = database.cursors.find(lane.id(), group);
        return isPending(lane, group) && (cursor == null
                || !cursor.isLive(now) && (cursor.retryAt() == null || cursor.retryAt() <= now));
    }

    /** How long the lane cannot be leased; null when it can. */
    private Long freeIn(Lane lane, String group, long now) {
        Cursor cursor = database.cursors.find(lane.id(), group);
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
            Lane lane = database.lanes.find(ids[i]);
            if (lane == null || database.locks.isLocked(lane.queue())) {
                continue;
            }
            answer.add(i + 1);
            if (!database.locks.isLaneLockedByUpkeep(lane.id())
                    && database.cursors.add(lane, groups[i], start(lane, groups[i], Moments.micros(fromAts[i])))) {
                opened.add(database.cursors.find(lane.id(), groups[i]));
            }
        }
        opened.forEach(this::subscribeNameless);
        database.sizes.raise(opened);
        return answer;
    }

    /** Opens the cursors that a lease may find missing, where that needs to wait for nobody, and returns them. */
    List<Cursor> openFreeCursors(Arguments arguments) {
        UUID[] ids = arguments.uuids("partition_ids");
        String[] groups = arguments.strings("group_names");
        Boolean[] opens = arguments.booleans("opens");
        OffsetDateTime[] fromAts = arguments.moments("from_ats");
        List<Cursor> opened = new ArrayList<>();
        for (int i = 0; i < ids.length; i++) {
            Lane lane = database.lanes.find(ids[i]);
            if (Boolean.TRUE.equals(opens[i]) && lane != null && !database.locks.isLocked(lane.queue())
                    && !database.locks.isLaneLockedByUpkeep(lane.id()) && !database.sizes.isKept(lane.queue())
                    && database.cursors.add(lane, groups[i], start(lane, groups[i], Moments.micros(fromAts[i])))) {
                opened.add(database.cursors.find(lane.id(), groups[i]));
            }
        }
        opened.forEach(this::subscribeNameless);
        return opened;
    }

    /** Whoever reads a queue is subscribed to it, also those who name no group. */
    private void subscribeNameless(Cursor cursor) {
        if (cursor.group().equals(Database.NO_GROUP)) {
            database.subscriptions.add(new SubscriptionTable.Key(cursor.group(), cursor.lane().queue().name(), "", ""),
                    new SubscriptionTable.Subscription("all", null, database.now()));
        }
    }

    /** Where a group begins that comes to a lane. What expired before it subscribed is not its concern. */
    private long start(Lane lane, String group, Long wanted) {
        SubscriptionTable.Subscription own = database.subscriptions.toQueue(group, lane.queue());
        Long fromAt = own == null ? wanted : own.fromAt();
        Integer age = lane.queue().evictionSeconds();
        Long notBefore = age == null
                ? null
                : Long.valueOf(database.subscriptions.subscribedAt(group, lane.queue().name()).orElse(database.now())
                        - age * Moments.SECOND);
        if (fromAt == null && notBefore == null) {
            return lane.tail();
        }
        return lane.offsetAt(Math.max(fromAt == null ? Long.MIN_VALUE : fromAt,
                notBefore == null ? Long.MIN_VALUE : notBefore));
    }

    Answer subscribe(Arguments arguments) {
        SubscriptionTable.Key key = new SubscriptionTable.Key(arguments.string("group_name"),
                arguments.string("queue_name"), arguments.string("namespace"), arguments.string("task"));
        boolean isToBePlaced = arguments.string("mode").equals("new") && database.subscriptions.find(key) == null;
        List<QueueRow> queues = !isToBePlaced
                ? List.of()
                : database.catalog.queues().stream().filter(key::covers)
                        // Where an operator has said before where the group begins, it does.
                        .filter(queue -> !key.queue().isEmpty()
                                || !database.subscriptions.hasToQueue(key.group(), queue))
                        .toList();
        queues.forEach(database.locks::requireFree);
        database.subscriptions.add(key, new SubscriptionTable.Subscription(arguments.string("mode"),
                Moments.micros(arguments.moment("from_at")), database.now()));
        database.subscriptions.come(key.group(), name -> key.queue().isEmpty()
                ? database.catalog.find(name) != null && key.covers(database.catalog.find(name))
                : key.queue().equals(name));
        for (Lane lane : database.lanes.all()) {
            if (queues.contains(lane.queue()) && lane.head() > 0) {
                database.cursors.add(lane, key.group(), lane.head());
            }
        }
        SubscriptionTable.Subscription inForce = database.subscriptions.find(key);
        return new Answer(Signature.of("subscribe").columns()).add(inForce.mode(), Moments.of(inForce.fromAt()));
    }
}
