package io.queenmq.engine.simulation.store;

import java.util.ArrayList;
import java.util.List;

/** The rules by which failed deliveries are counted. Decides, and changes nothing. */
final class Attempts {
    private static final long DELAY_MAX = 900 * Moments.SECOND;

    private Attempts() {}

    /** Whether the next delivery is the last before the dead letters, which is made alone so that only the culprit dies. */
    static boolean isLast(int attempts, QueueRow queue) {
        return attempts >= Math.max(1, queue.retryLimit());
    }

    /** Whether a message that failed so often is given up. */
    static boolean isDead(int attempts, QueueRow queue) {
        return attempts > queue.retryLimit();
    }

    /** When a message that its consumer failed is due again; null for at once. */
    static Long retryAt(int attempts, QueueRow queue, long now) {
        long delay = queue.retryDelayMs() * 1_000L;
        if (delay == 0) {
            return null;
        }
        double grown = delay * Math.pow(queue.retryBackoff(), attempts - 1.0);
        return now + Math.min(Math.round(Math.min(grown, Long.MAX_VALUE / 4.0)), Math.max(delay, DELAY_MAX));
    }

    /** First offset, end and attempts of each run of messages in the range that failed alike; null when none did. */
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
     * How far a lease that begins at a message reaches.
     *
     * @param isLone nothing else may be given under the same lease id
     */
    record Reach(long end, boolean isLone) {}

    /**
     * Up to where messages may be given together, from the first on.
     *
     * @param finished what is finished or removed, and stops nobody
     * @param isAutoAck what is finished when it is given can be blamed for nothing, so nothing has to come alone
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
