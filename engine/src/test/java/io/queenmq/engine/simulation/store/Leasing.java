package io.queenmq.engine.simulation.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The routine lease. */
final class Leasing {
    private static final long PAUSED_FOR = 600 * Moments.SECOND;

    private final Database database;
    private final Reading reading;
    private final Evicting evicting;

    Leasing(Database database, Reading reading, Evicting evicting) {
        this.database = database;
        this.reading = reading;
        this.evicting = evicting;
    }

    /** One requested (partition, group) with its arguments. */
    private record LeaseRequest(int index, Cursor cursor, UUID leaseId, int batch, int leaseSeconds, int delaySeconds,
            int windowSeconds, int partitionLimit, boolean isSole, Long byteLimit) {
        /** Returns the end of the messages from first on that fit the byte limit. */
        long end(Partition partition, long first) {
            long end = Math.min(first + batch, partition.head());
            Integer largest = partition.largestLine();
            boolean fits = byteLimit == null || largest != null && (end - first) * largest <= byteLimit;
            return fits ? end : partition.endWithin(first, end, byteLimit);
        }
    }

    private enum Status {
        EXPIRED,
        HELD,
        BUSY,
        EMPTY,
        WAITING,
        READY
    }

    /**
     * The messages that could be delivered from one partition.
     *
     * @param acked finished or removed offsets
     * @param first the next offset for the group
     * @param end the end of the messages; equal to first if none is due
     * @param isLone it must be the only one under its lease id
     */
    private record Offer(LeaseRequest request, Status status, Ranges acked, long first, long end, boolean isLone) {
        boolean isWanted() {
            return (status == Status.READY || status == Status.HELD) && end > first;
        }

        /** Returns an upper bound of the bytes of the messages; null if unknown. */
        Long bytes() {
            Integer largest = request.cursor.partition().largestLine();
            Long all = largest == null ? null : Long.valueOf((end - first) * largest);
            return all == null || request.byteLimit != null && request.byteLimit < all ? request.byteLimit : all;
        }
    }

    Answer lease(Arguments arguments) {
        boolean isAutoAck = arguments.bool("is_auto_ack");
        // New cursors with more expired messages than one call evicts are not leased in this call.
        Set<Cursor> unready = arguments.has("opens") ? evicting.evictAll(reading.openFreeCursors(arguments)) : Set.of();
        Map<UUID, List<Offer>> byLease = new LinkedHashMap<>();
        for (LeaseRequest request : requests(arguments)) {
            if (unready.contains(request.cursor)) {
                continue;
            }
            byLease.computeIfAbsent(request.leaseId, _ -> new ArrayList<>()).add(offer(request, isAutoAck));
        }
        Answer answer = new Answer(Signature.of("lease").columns());
        byLease.forEach((leaseId, offers) -> grant(leaseId, offers, isAutoAck, answer));
        return answer;
    }

    /** Returns the requests whose cursor exists and is not locked. */
    private List<LeaseRequest> requests(Arguments arguments) {
        UUID[] ids = arguments.uuids("partition_ids");
        List<LeaseRequest> requests = new ArrayList<>();
        for (int i = 0; i < ids.length; i++) {
            Cursor cursor = database.cursors.find(ids[i], arguments.strings("group_names")[i]);
            if (cursor != null && !database.locks.isLocked(cursor)) {
                requests.add(new LeaseRequest(i + 1, cursor, arguments.uuids("lease_ids")[i],
                        arguments.integers("batches")[i], arguments.integers("lease_seconds")[i],
                        arguments.integers("delay_seconds")[i], arguments.integers("window_seconds")[i],
                        arguments.integers("partition_limits")[i],
                        arguments.has("soles") && Boolean.TRUE.equals(arguments.booleans("soles")[i]),
                        arguments.has("byte_limits") ? arguments.longs("byte_limits")[i] : null));
            }
        }
        return requests;
    }

    private Offer offer(LeaseRequest request, boolean isAutoAck) {
        long now = database.now();
        Cursor cursor = request.cursor;
        // Removed messages count as finished, and are recorded as finished with the lease.
        Ranges acked = cursor.acked().plus(cursor.partition().removed());
        long first = acked.endOfRunAt(cursor.position());
        Status status = judge(request, first, now);
        if (cursor.isHeld()) {
            return new Offer(request, status, acked, first, cursor.leaseEnd(), cursor.isAlone());
        }
        long end = request.end(cursor.partition(), first);
        if (status != Status.READY) {
            return new Offer(request, status, acked, first, end, false);
        }
        Attempts.Reach reach = Attempts.reach(cursor, first, end, acked, isAutoAck, now);
        return new Offer(request, status, acked, first, Math.min(reach.end(), dueEnd(request, first, end, now)),
                reach.isLone());
    }

    private static Status judge(LeaseRequest request, long first, long now) {
        Cursor cursor = request.cursor;
        Partition partition = cursor.partition();
        if (cursor.isHeld() && !cursor.isLive(now)) {
            return Status.EXPIRED;
        }
        if (cursor.isHeld()) {
            return cursor.leaseId().equals(request.leaseId) ? Status.HELD : Status.BUSY;
        }
        if (first >= partition.head()) {
            return Status.EMPTY;
        }
        boolean isResting = cursor.retryAt() != null && cursor.retryAt() > now;
        boolean isInWindow = request.windowSeconds > 0
                && partition.lastPushAt() > now - request.windowSeconds * Moments.SECOND
                && !Moments.isImplausible(partition.lastPushAt(), now);
        return partition.isPaused() || isResting || isInWindow ? Status.WAITING : Status.READY;
    }

    /** Returns the end of the messages that are old enough, if the queue delays messages. */
    private static long dueEnd(LeaseRequest request, long first, long end, long now) {
        if (request.delaySeconds == 0) {
            return end;
        }
        long due = first;
        for (Segment segment : request.cursor.partition().segmentsFrom(first)) {
            boolean isDue = segment.createdAt() <= now - request.delaySeconds * Moments.SECOND
                    || Moments.isImplausible(segment.createdAt(), now);
            if (segment.base() < end && isDue) {
                due = segment.end();
            }
        }
        return Math.min(end, due);
    }

    /** Leases what fits the batch and the number of partitions of one lease id, in the order of the requests. */
    private void grant(UUID leaseId, List<Offer> offers, boolean isAutoAck, Answer answer) {
        boolean holdsPartitions = !database.cursors.under(leaseId).isEmpty();
        Offer firstWanted = offers.stream().filter(Offer::isWanted).findFirst().orElse(null);
        boolean isForOneAlone = firstWanted != null && firstWanted.isLone;
        long spent = 0;
        long spentBytes = 0;
        int claimed = 0;
        for (Offer offer : offers) {
            LeaseRequest request = offer.request;
            boolean fits = spent < request.batch && claimed < request.partitionLimit
                    && (spentBytes == 0 || request.byteLimit == null || offer.bytes() == null
                            || spentBytes + offer.bytes() <= request.byteLimit);
            boolean isLeased = offer.status == Status.READY && offer.isWanted()
                    && (offer.isLone
                            ? offer == firstWanted && (request.isSole || !holdsPartitions)
                            : fits && !isForOneAlone);
            long end = offer.isLone ? offer.end : Math.min(offer.end, offer.first + request.batch - spent);
            if (offer.isWanted() && !offer.isLone) {
                spent += offer.end - offer.first;
                spentBytes += offer.bytes() == null ? 0 : offer.bytes();
                claimed++;
            }
            answer.add(isLeased ? give(offer, end, isAutoAck) : refuse(offer));
        }
    }

    private Object[] give(Offer offer, long end, boolean isAutoAck) {
        long now = database.now();
        LeaseRequest request = offer.request;
        Cursor cursor = request.cursor;
        Object[] row = {request.index, "leased", offer.first, end, cursor.partition().head(),
            request.leaseSeconds * 1_000L, offer.acked.textOrNull(), Attempts.runs(cursor, offer.first, end),
            offer.isLone, offer.bytes()};
        if (isAutoAck) {
            handOut(offer, end, now);
        } else {
            boolean isAlone = offer.isLone
                    || request.isSole && Ranges.of(offer.first, end).minus(offer.acked).count() == 1;
            cursor.moveTo(offer.first, offer.acked.minus(Ranges.before(offer.first)));
            cursor.setLease(request.leaseId, end, now + request.leaseSeconds * Moments.SECOND, isAlone, offer.acked,
                    now);
        }
        return row;
    }

    /** Finishes the messages at once, without a lease. */
    private void handOut(Offer offer, long end, long now) {
        Cursor cursor = offer.request.cursor;
        Ranges given = Ranges.of(offer.first, end);
        long reached = offer.acked.plus(given).endOfRunAt(offer.first);
        cursor.moveTo(reached, offer.acked.minus(Ranges.before(reached)));
        cursor.countAcked(given.minus(offer.acked).count(), 0, 0, 0);
        cursor.setLastAckAt(now);
        cursor.forgetFinished();
        cursor.restUntilFirstIsDue();
        database.leaseLog.handedOut(cursor, offer.request.leaseId, offer.first, end, offer.acked, now);
    }

    /** Returns the row of a partition that is not leased. A partition that the lease id has already is returned again. */
    private Object[] refuse(Offer offer) {
        long now = database.now();
        LeaseRequest request = offer.request;
        Cursor cursor = request.cursor;
        if (offer.status == Status.EMPTY && offer.first > cursor.position()) {
            // All remaining messages were removed: the partition must not appear to have messages.
            cursor.moveTo(offer.first, offer.acked.minus(Ranges.before(offer.first)));
        }
        String status = switch (offer.status) {
            case HELD -> "leased";
            case READY -> offer.isWanted() ? "spared" : "waiting";
            case EXPIRED, BUSY, EMPTY, WAITING -> offer.status.name().toLowerCase();
        };
        Long until = offer.status == Status.READY ? dueAt(offer) : untilAt(request, now);
        return new Object[]{request.index, status, offer.first, offer.end, cursor.partition().head(),
            Moments.millisUntil(until, now), offer.acked.textOrNull(), Attempts.runs(cursor, offer.first, offer.end),
            offer.isLone && offer.status == Status.HELD, offer.bytes()};
    }

    /** Returns the time until which the partition cannot be leased; null if unknown. */
    private static Long untilAt(LeaseRequest request, long now) {
        Cursor cursor = request.cursor;
        Partition partition = cursor.partition();
        if (cursor.isHeld()) {
            return cursor.leaseUntil();
        }
        if (partition.isPaused()) {
            return now + PAUSED_FOR;
        }
        if (cursor.retryAt() != null && cursor.retryAt() > now) {
            return cursor.retryAt();
        }
        return request.windowSeconds > 0 && partition.lastPushAt() != null
                ? Long.valueOf(partition.lastPushAt() + request.windowSeconds * Moments.SECOND)
                : null;
    }

    /** Returns the time at which the first message is old enough; null if none is delayed. */
    private static Long dueAt(Offer offer) {
        if (offer.request.delaySeconds == 0) {
            return null;
        }
        long end = offer.request.end(offer.request.cursor.partition(), offer.first);
        for (Segment segment : offer.request.cursor.partition().segmentsFrom(offer.first)) {
            if (segment.end() > offer.first && segment.base() < end) {
                return segment.createdAt() + offer.request.delaySeconds * Moments.SECOND;
            }
        }
        return null;
    }
}
