package io.queenmq.server.simulation.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Routine lease: who gets what. */
final class Leasing {
    private static final long PAUSED_FOR = 600 * Moments.SECOND;

    private final Database database;

    Leasing(Database database) {
        this.database = database;
    }

    /** One wanted (lane, group), and all that is asked of it. */
    private record Wish(int index, Cursor cursor, UUID leaseId, int batch, int leaseSeconds, int delaySeconds,
            int windowSeconds, int laneLimit, boolean isSole, Long byteRoom) {
        /** Where the messages from first on end that have room; the rest stays for the next. */
        long end(Lane lane, long first) {
            long end = Math.min(first + batch, lane.head());
            Integer largest = lane.largestLine();
            boolean isRoom = byteRoom == null || largest != null && (end - first) * largest <= byteRoom;
            return isRoom ? end : lane.endWithin(first, end, byteRoom);
        }

        /** What so many messages take, or more; null when nobody knows. */
        Long bytes(Lane lane, long messages) {
            Long all = lane.largestLine() == null ? null : messages * lane.largestLine();
            return all == null || byteRoom != null && byteRoom < all ? byteRoom : all;
        }
    }

    /** What is used up under one lease id so far, and whether something came first that comes alone. */
    private static final class Budget {
        private long spent;
        private long spentBytes;
        private int claimed;
        private boolean isBegun;
        private boolean isClosed;

        /** @param messages what the lane would take */
        void claim(long messages, Long bytes, boolean isLone) {
            isClosed |= isLone && !isBegun;
            isBegun = true;
            spent += isLone ? 0 : messages;
            spentBytes += isLone || bytes == null ? 0 : bytes;
            claimed += isLone ? 0 : 1;
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

    Answer lease(Arguments arguments) {
        boolean isAutoAck = arguments.bool("is_auto_ack");
        Answer answer = new Answer(Signature.of("lease").columns());
        Map<UUID, Budget> budgets = new HashMap<>();
        for (Wish wish : wishes(arguments)) {
            answer.add(grant(wish, budgets.computeIfAbsent(wish.leaseId, _ -> new Budget()), isAutoAck));
        }
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
                        arguments.integers("window_seconds")[i], arguments.integers("lane_limits")[i],
                        arguments.has("soles") && arguments.booleans("soles")[i],
                        arguments.has("byte_rooms") ? arguments.longs("byte_rooms")[i] : null));
            }
        }
        return wishes;
    }

    private Object[] grant(Wish wish, Budget budget, boolean isAutoAck) {
        long now = database.now();
        Cursor cursor = wish.cursor;
        Lane lane = cursor.lane();
        // What an operator removed counts as finished, and is noted down as such with the lease.
        Ranges acked = cursor.acked().plus(lane.removed());
        long first = acked.endOfRunAt(cursor.position());
        Status status = judge(wish, first, now);
        long end = cursor.isHeld() ? cursor.leaseEnd() : wish.end(lane, first);
        String acknowledged = acked.textOrNull();
        Long[] attempts = Attempts.runs(cursor, first, end);

        if (status == Status.HELD) {
            if (cursor.leaseEnd() > first) {
                budget.claim(end - first, wish.bytes(lane, end - first), cursor.isAlone());
            }
            return new Object[]{wish.index, "leased", first, cursor.leaseEnd(), lane.head(),
                Moments.millisUntil(cursor.leaseUntil(), now), acknowledged, attempts, cursor.isAlone(),
                wish.bytes(lane, end - first)};
        }
        if (status != Status.READY) {
            if (status == Status.EMPTY && first > cursor.position()) {
                cursor.moveTo(first, acked.minus(Ranges.before(first)));
            }
            return new Object[]{wish.index, status.name().toLowerCase(), first,
                Math.min(end, first + wish.batch - budget.spent), lane.head(),
                Moments.millisUntil(untilAt(wish, now), now), acknowledged, attempts, false,
                wish.bytes(lane, end - first)};
        }

        Attempts.Reach reach = Attempts.reach(cursor, first, dueEnd(wish, first, end, now), isAutoAck, now);
        boolean isLone = reach.isLone();
        long givenEnd = isLone ? reach.end() : Math.min(reach.end(), first + wish.batch - budget.spent);
        boolean isDue = reach.end() > first;
        Long bytes = wish.bytes(lane, reach.end() - first);
        boolean isRoom = budget.spentBytes == 0 || wish.byteRoom == null || budget.spentBytes + bytes <= wish.byteRoom;
        boolean isGiven = isDue && (isLone
                ? !budget.isBegun && (wish.isSole || database.cursors.under(wish.leaseId).isEmpty())
                : !budget.isClosed && isRoom && budget.spent < wish.batch && budget.claimed < wish.laneLimit);
        if (isDue) {
            budget.claim(reach.end() - first, bytes, isLone);
        }
        if (!isGiven) {
            return new Object[]{wish.index, isDue ? "spared" : "waiting", first, givenEnd, lane.head(),
                Moments.millisUntil(dueAt(wish, first, end), now), acknowledged, attempts, false, bytes};
        }
        if (isAutoAck) {
            handOut(wish, first, givenEnd, acked, now);
        } else {
            long messages = Ranges.of(first, givenEnd).minus(acked).count();
            cursor.moveTo(first, acked.minus(Ranges.before(first)));
            cursor.giveLease(wish.leaseId, givenEnd, now + wish.leaseSeconds * Moments.SECOND,
                    isLone || wish.isSole && messages == 1, acked, now);
        }
        return new Object[]{wish.index, "leased", first, givenEnd, lane.head(), wish.leaseSeconds * 1_000L,
            acknowledged, attempts, isLone, bytes};
    }

    private static Status judge(Wish wish, long first, long now) {
        Cursor cursor = wish.cursor;
        Lane lane = cursor.lane();
        if (cursor.isHeld() && !cursor.isLive(now)) {
            return Status.EXPIRED;
        }
        if (cursor.isHeld()) {
            return cursor.leaseId().equals(wish.leaseId) ? Status.HELD : Status.BUSY;
        }
        if (first >= lane.head()) {
            return Status.EMPTY;
        }
        boolean isResting = cursor.retryAt() != null && cursor.retryAt() > now;
        boolean isInWindow = wish.windowSeconds > 0 && lane.lastPushAt() > now - wish.windowSeconds * Moments.SECOND;
        return lane.isPaused() || isResting || isInWindow ? Status.WAITING : Status.READY;
    }

    /** Until when the lane is out of reach; null when nobody can say. */
    private static Long untilAt(Wish wish, long now) {
        Cursor cursor = wish.cursor;
        Lane lane = cursor.lane();
        if (cursor.isHeld()) {
            return cursor.leaseUntil();
        }
        if (lane.isPaused()) {
            return now + PAUSED_FOR;
        }
        if (cursor.retryAt() != null && cursor.retryAt() > now) {
            return cursor.retryAt();
        }
        return wish.windowSeconds > 0 && lane.lastPushAt() != null
                ? Long.valueOf(lane.lastPushAt() + wish.windowSeconds * Moments.SECOND)
                : null;
    }

    /** The end of what is old enough, where messages are held back for a time. */
    private static long dueEnd(Wish wish, long first, long end, long now) {
        if (wish.delaySeconds == 0) {
            return end;
        }
        long due = first;
        for (Segment segment : wish.cursor.lane().segmentsFrom(first)) {
            if (segment.base() < end && segment.createdAt() <= now - wish.delaySeconds * Moments.SECOND) {
                due = segment.end();
            }
        }
        return Math.min(end, due);
    }

    /** When the first message is old enough; null where none is held back. */
    private static Long dueAt(Wish wish, long first, long end) {
        if (wish.delaySeconds == 0) {
            return null;
        }
        for (Segment segment : wish.cursor.lane().segmentsFrom(first)) {
            if (segment.end() > first && segment.base() < end) {
                return segment.createdAt() + wish.delaySeconds * Moments.SECOND;
            }
        }
        return null;
    }

    /** The messages count as finished at once, and nobody holds the lane. */
    private void handOut(Wish wish, long first, long end, Ranges acked, long now) {
        Cursor cursor = wish.cursor;
        Ranges given = Ranges.of(first, end);
        long reached = acked.plus(given).endOfRunAt(first);
        cursor.moveTo(reached, acked.minus(Ranges.before(reached)));
        cursor.countAcked(given.minus(acked).count(), 0, 0, 0);
        cursor.setLastAckAt(now);
        cursor.forgetFinished();
        cursor.restUntilFirstIsDue();
        database.leaseLog.handedOut(cursor, wish.leaseId, first, end, acked, now);
    }
}
