package io.queenmq.server.simulation.store;

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
     */
    static Reach reach(Cursor cursor, long first, long end, Ranges finished, long now) {
        QueueRow queue = cursor.lane().queue();
        if (isLast(cursor.attempts(first), queue)) {
            return new Reach(first + 1, true);
        }
        for (var entry : cursor.failures().tailMap(first, false).entrySet()) {
            Failure failure = entry.getValue();
            boolean isWaiting = failure.retryAt() != null && failure.retryAt() > now;
            boolean isStop = isWaiting || isLast(failure.attempts(), queue);
            if (isStop && entry.getKey() < end && !finished.contains(entry.getKey())) {
                return new Reach(entry.getKey(), false);
            }
        }
        return new Reach(end, false);
    }
}
