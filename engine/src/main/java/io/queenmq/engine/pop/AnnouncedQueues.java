package io.queenmq.engine.pop;

import io.queenmq.engine.time.Timers;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Queues that PostgreSQL announced as pushed to by transactions of users. At most one transaction of a queue sends a notification
 * at a time, and others that commit meanwhile send none. So each notification is followed by two more lookups, when those
 * transactions have committed. Must be used on the engine loop.
 */
public final class AnnouncedQueues {
    private static final long[] FOLLOW_UPS_NS = {20_000_000, 100_000_000};

    private final Timers timers;
    private final Consumer<String> lookup;

    /** The number of follow-ups since the last notification, for each queue that has one scheduled. */
    private final Map<String, Integer> followUps = new HashMap<>();

    /** @param lookup looks up new messages of a queue */
    public AnnouncedQueues(Timers timers, Consumer<String> lookup) {
        this.timers = timers;
        this.lookup = lookup;
    }

    /** Handles a notification. */
    public void announced(String queue) {
        lookup.accept(queue);
        if (followUps.put(queue, 0) == null) {
            schedule(queue, 0);
        }
    }

    private void schedule(String queue, int number) {
        timers.after(FOLLOW_UPS_NS[number], () -> followUp(queue));
    }

    private void followUp(String queue) {
        lookup.accept(queue);
        int next = followUps.getOrDefault(queue, 0) + 1;
        if (next < FOLLOW_UPS_NS.length) {
            followUps.put(queue, next);
            schedule(queue, next);
        } else {
            followUps.remove(queue);
        }
    }
}
