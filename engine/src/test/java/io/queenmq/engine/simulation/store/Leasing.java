package io.queenmq.engine.simulation.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Routine lease: who gets what. */
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

    /** One wanted (partition, group), and all that is asked of it. */
    private record Wish(int index, Cursor cursor, UUID leaseId, int batch, int leaseSeconds, int delaySeconds,
            int windowSeconds, int partitionLimit, boolean isSole, Long byteRoom) {
        /** Where the messages from first on end that have room; the rest stays for the next. */
        long end(Partition partition, long first) {
            long end = Math.min(first + batch, partition.head());
            Integer largest = partition.largestLine();
            boolean hasRoom = byteRoom == null || largest != null && (end - first) * largest <= byteRoom;
            return hasRoom ? end : partition.endWithin(first, end, byteRoom);
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
     * What could be given, seen by itself.
     *
     * @param acked what is finished or removed
     * @param first where the partition goes on for the group
     * @param end the end of what may be given; first when nothing is due
     * @param isLone it is given with nothing else under its lease id, or not at all
     */
    private record Offer(Wish wish, Status status, Ranges acked, long first, long end, boolean isLone) {
        boolean isWanted() {
            return (status == Status.READY || status == Status.HELD) && end > first;
        }

        /** What the messages take, or more; null when nobody knows. */
        Long bytes() {
            Integer largest = wish.cursor.partition().largestLine();
            Long all = largest == null ? null : Long.valueOf((end - first) * largest);
            return all == null || wish.byteRoom != null && wish.byteRoom < all ? wish.byteRoom : all;
        }
    }

    Answer lease(Arguments arguments) {
        boolean isAutoAck = arguments.bool("is_auto_ack");
        // New cursors with more expired messages than one call evicts are not leased in this call.
        Set<Cursor> unready = arguments.has("opens")
                ? evicting.evictAll(reading.openFreeCursors(arguments))
                : Set.of();
        Map<UUID, List<Offer>> byLease = new LinkedHashMap<>();
        for (Wish wish : wishes(arguments)) {
            if (unready.contains(wish.cursor)) {
                continue;
            }
            byLease.computeIfAbsent(wish.leaseId, _ -> new ArrayList<>()).add(offer(wish, isAutoAck));
        }
        Answer answer = new Answer(Signature.of("lease").columns());
        byLease.forEach((leaseId, offers) -> grant(leaseId, offers, isAutoAck, answer));
        return answer;
    }

    /** Those whose cursor exists and is not locked. */
    private List<Wish> wishes(Arguments arguments) {
        UUID[] ids = arguments.uuids("partition_ids");
        List<Wish> wishes = new ArrayList<>();
        for (int i = 0; i < ids.length; i++) {
            Cursor cursor = database.cursors.find(ids[i], arguments.strings("group_names")[i]);
            if (cursor != null && !database.locks.isLocked(cursor)) {
                wishes.add(new Wish(i + 1, cursor, arguments.uuids("lease_ids")[i], arguments.integers("batches")[i],
                        arguments.integers("lease_seconds")[i], arguments.integers("delay_seconds")[i],
                        arguments.integers("window_seconds")[i], arguments.integers("partition_limits")[i],
                        arguments.has("soles") && Boolean.TRUE.equals(arguments.booleans("soles")[i]),
                        arguments.has("byte_rooms") ? arguments.longs("byte_rooms")[i] : null));
            }
        }
        return wishes;
    }

    private Offer offer(Wish wish, boolean isAutoAck) {
        long now = database.now();
        Cursor cursor = wish.cursor;
        // What an operator removed counts as finished, and is noted down as such with the lease.
        Ranges acked = cursor.acked().plus(cursor.partition().removed());
        long first = acked.endOfRunAt(cursor.position());
        Status status = judge(wish, first, now);
        if (cursor.isHeld()) {
            return new Offer(wish, status, acked, first, cursor.leaseEnd(), cursor.isAlone());
        }
        long end = wish.end(cursor.partition(), first);
        if (status != Status.READY) {
            return new Offer(wish, status, acked, first, end, false);
        }
        Attempts.Reach reach = Attempts.reach(cursor, first, end, acked, isAutoAck, now);
        return new Offer(wish, status, acked, first, Math.min(reach.end(), dueEnd(wish, first, end, now)),
                reach.isLone());
    }

    private static Status judge(Wish wish, long first, long now) {
        Cursor cursor = wish.cursor;
        Partition partition = cursor.partition();
        if (cursor.isHeld() && !cursor.isLive(now)) {
            return Status.EXPIRED;
        }
        if (cursor.isHeld()) {
            return cursor.leaseId().equals(wish.leaseId) ? Status.HELD : Status.BUSY;
        }
        if (first >= partition.head()) {
            return Status.EMPTY;
        }
        boolean isResting = cursor.retryAt() != null && cursor.retryAt() > now;
        boolean isInWindow = wish.windowSeconds > 0
                && partition.lastPushAt() > now - wish.windowSeconds * Moments.SECOND
                && !Moments.isImplausible(partition.lastPushAt(), now);
        return partition.isPaused() || isResting || isInWindow ? Status.WAITING : Status.READY;
    }

    /** The end of what is old enough, where messages are held back for a time. */
    private static long dueEnd(Wish wish, long first, long end, long now) {
        if (wish.delaySeconds == 0) {
            return end;
        }
        long due = first;
        for (Segment segment : wish.cursor.partition().segmentsFrom(first)) {
            boolean isDue = segment.createdAt() <= now - wish.delaySeconds * Moments.SECOND
                    || Moments.isImplausible(segment.createdAt(), now);
            if (segment.base() < end && isDue) {
                due = segment.end();
            }
        }
        return Math.min(end, due);
    }

    /** Gives what fits the batch and the number of partitions of one lease id, in the order of the wishes. */
    private void grant(UUID leaseId, List<Offer> offers, boolean isAutoAck, Answer answer) {
        boolean holdsPartitions = !database.cursors.under(leaseId).isEmpty();
        Offer firstWanted = offers.stream().filter(Offer::isWanted).findFirst().orElse(null);
        boolean isForOneAlone = firstWanted != null && firstWanted.isLone;
        long spent = 0;
        long spentBytes = 0;
        int claimed = 0;
        for (Offer offer : offers) {
            Wish wish = offer.wish;
            boolean hasRoom = spent < wish.batch && claimed < wish.partitionLimit && (spentBytes == 0
                    || wish.byteRoom == null || offer.bytes() == null || spentBytes + offer.bytes() <= wish.byteRoom);
            boolean isGiven = offer.status == Status.READY && offer.isWanted() && (offer.isLone
                    ? offer == firstWanted && (wish.isSole || !holdsPartitions)
                    : hasRoom && !isForOneAlone);
            long end = offer.isLone ? offer.end : Math.min(offer.end, offer.first + wish.batch - spent);
            if (offer.isWanted() && !offer.isLone) {
                spent += offer.end - offer.first;
                spentBytes += offer.bytes() == null ? 0 : offer.bytes();
                claimed++;
            }
            answer.add(isGiven ? give(offer, end, isAutoAck) : refuse(offer));
        }
    }

    private Object[] give(Offer offer, long end, boolean isAutoAck) {
        long now = database.now();
        Wish wish = offer.wish;
        Cursor cursor = wish.cursor;
        Object[] row = {wish.index, "leased", offer.first, end, cursor.partition().head(), wish.leaseSeconds * 1_000L,
            offer.acked.textOrNull(), Attempts.runs(cursor, offer.first, end), offer.isLone, offer.bytes()};
        if (isAutoAck) {
            handOut(offer, end, now);
        } else {
            boolean isAlone = offer.isLone
                    || wish.isSole && Ranges.of(offer.first, end).minus(offer.acked).count() == 1;
            cursor.moveTo(offer.first, offer.acked.minus(Ranges.before(offer.first)));
            cursor.giveLease(wish.leaseId, end, now + wish.leaseSeconds * Moments.SECOND, isAlone, offer.acked, now);
        }
        return row;
    }

    /** The messages count as finished at once, and nobody holds the partition. */
    private void handOut(Offer offer, long end, long now) {
        Cursor cursor = offer.wish.cursor;
        Ranges given = Ranges.of(offer.first, end);
        long reached = offer.acked.plus(given).endOfRunAt(offer.first);
        cursor.moveTo(reached, offer.acked.minus(Ranges.before(reached)));
        cursor.countAcked(given.minus(offer.acked).count(), 0, 0, 0);
        cursor.setLastAckAt(now);
        cursor.forgetFinished();
        cursor.restUntilFirstIsDue();
        database.leaseLog.handedOut(cursor, offer.wish.leaseId, offer.first, end, offer.acked, now);
    }

    /** A partition that is not given; one that the lease id has already is named again. */
    private Object[] refuse(Offer offer) {
        long now = database.now();
        Wish wish = offer.wish;
        Cursor cursor = wish.cursor;
        if (offer.status == Status.EMPTY && offer.first > cursor.position()) {
            // All that is left was removed: the partition must not look as if it had something.
            cursor.moveTo(offer.first, offer.acked.minus(Ranges.before(offer.first)));
        }
        String status = switch (offer.status) {
            case HELD -> "leased";
            case READY -> offer.isWanted() ? "spared" : "waiting";
            case EXPIRED, BUSY, EMPTY, WAITING -> offer.status.name().toLowerCase();
        };
        Long until = offer.status == Status.READY ? dueAt(offer) : untilAt(wish, now);
        return new Object[]{wish.index, status, offer.first, offer.end, cursor.partition().head(),
            Moments.millisUntil(until, now), offer.acked.textOrNull(), Attempts.runs(cursor, offer.first, offer.end),
            offer.isLone && offer.status == Status.HELD, offer.bytes()};
    }

    /** Until when the partition is out of reach; null when nobody can say. */
    private static Long untilAt(Wish wish, long now) {
        Cursor cursor = wish.cursor;
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
        return wish.windowSeconds > 0 && partition.lastPushAt() != null
                ? Long.valueOf(partition.lastPushAt() + wish.windowSeconds * Moments.SECOND)
                : null;
    }

    /** When the first message is old enough; null where none is held back. */
    private static Long dueAt(Offer offer) {
        if (offer.wish.delaySeconds == 0) {
            return null;
        }
        long end = offer.wish.end(offer.wish.cursor.partition(), offer.first);
        for (Segment segment : offer.wish.cursor.partition().segmentsFrom(offer.first)) {
            if (segment.end() > offer.first && segment.base() < end) {
                return segment.createdAt() + offer.wish.delaySeconds * Moments.SECOND;
            }
        }
        return null;
    }
}
