package io.queenmq.engine.simulation.store;

import java.util.ArrayList;
import java.util.List;

/** The rules by which failed deliveries are counted. Decides, and changes nothing. */
final class Attempts {
    private static final long DELAY_MAX = 900 * Moments.SECOND;

    private Attempts() {}

    /**
     * Returns true if the next delivery is the last attempt. It has a lease of its own, so that only this message can
     * become a dead letter.
     */
    static boolean isLast(int attempts, QueueRow queue) {
        return attempts >= Math.max(1, queue.retryLimit());
    }

    /** Returns true if a message with this number of failures becomes a dead letter. */
    static boolean isDead(int attempts, QueueRow queue) {
        return attempts > queue.retryLimit();
    }

    /** Returns the time at which a failed message is due again; null for at once. */
    static Long retryAt(int attempts, QueueRow queue, long now) {
        long delay = queue.retryDelayMs() * 1_000L;
        if (delay == 0) {
            return null;
        }
        double grown = delay * Math.pow(queue.retryBackoff(), attempts - 1.0);
        return now + Math.min(Math.round(Math.min(grown, Long.MAX_VALUE / 4.0)), Math.max(delay, DELAY_MAX));
    }

    /** Returns first offset, end and attempts of each run of messages in the range with equal failures; null if there is none. */
    static Long[] runs(Cursor cursor, long first, long end) {
        List<Long> runs = new ArrayList<>();
        for (var each : cursor.failures().subMap(first, Math.max(first, end)).entrySet()) {
            long offset = each.getKey();
            long attempts = each.getValue().attempts();
            int last = runs.size() - 1;
            if (last > 0 && runs.get(last - 1) == offset && runs.get(last) == attempts) {
                runs.set(last - 1, offset + 1);
            } else {
                runs.addAll(List.of(offset, offset + 1, attempts));
            }
        }
        return runs.isEmpty() ? null : runs.toArray(Long[]::new);
    }

    /**
     * The end of a lease that begins at a message.
     *
     * @param isLone no other message may be delivered under the same lease id
     */
    record Reach(long end, boolean isLone) {}

    /**
     * Returns the end of the messages that may be delivered together, from the first on.
     *
     * @param finished finished or removed offsets, which are passed over
     * @param isAutoAck messages are finished by their delivery, so none needs a lease of its own
     */
    static Reach reach(Cursor cursor, long first, long end, Ranges finished, boolean isAutoAck, long now) {
        QueueRow queue = cursor.partition().queue();
        if (!isAutoAck && isLast(cursor.attempts(first), queue)) {
            return new Reach(first + 1, true);
        }
        for (var entry : cursor.failures().tailMap(first, false).entrySet()) {
            Failure failure = entry.getValue();
            boolean isWaiting = failure.retryAt() != null && failure.retryAt() > now;
            boolean isStop = isWaiting || !isAutoAck && isLast(failure.attempts(), queue);
            if (isStop && entry.getKey() < end && !finished.contains(entry.getKey())) {
                return new Reach(entry.getKey(), false);
            }
        }
        return new Reach(end, false);
    }
}
