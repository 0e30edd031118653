package io.queenmq.engine.push;

import io.queenmq.engine.command.PushItem;

import io.queenmq.engine.push.Refuge.Course;
import io.queenmq.engine.time.Timers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Holds pushes to partitions whose last spooled messages are being stored. If these pushes were spooled as well, a partition
 * with busy producers would never leave the spool. A push is held for at most {@link #HELD_MAX_NS}, and pushes of one
 * partition keep their order. Owned by the engine loop.
 */
final class HeldPushes {
    /** After this time a push is spooled, so that a slow drain does not delay producers any longer. */
    static final long HELD_MAX_NS = 1_000_000_000;
    private static final long CHECK_EVERY_NS = 10_000_000;

    private final Refuge refuge;
    private final Timers timers;
    private final BiConsumer<List<PendingPush>, Course> onDecided;
    private final Map<Partition, List<PendingPush>> held = new LinkedHashMap<>();
    private boolean isChecking;

    private record Partition(String queue, String name) {
        static Partition of(PushItem item) {
            return new Partition(item.queue(), item.partition());
        }
    }

    /** @param onDecided receives all held pushes of a partition, in their order, and any course but WAIT */
    HeldPushes(Refuge refuge, Timers timers, BiConsumer<List<PendingPush>, Course> onDecided) {
        this.refuge = refuge;
        this.timers = timers;
        this.onDecided = onDecided;
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    /** Returns the course of a new message. It waits if earlier messages of its partition are held. */
    Course courseOf(PushItem item) {
        return held.containsKey(Partition.of(item)) ? Course.WAIT : refuge.courseOf(item, true);
    }

    void add(PendingPush pending) {
        held.computeIfAbsent(Partition.of(pending.item()), _ -> new ArrayList<>()).add(pending);
        if (!isChecking) {
            isChecking = true;
            checkLater();
        }
    }

    private void checkLater() {
        timers.after(CHECK_EVERY_NS, () -> {
            check();
            if (held.isEmpty()) {
                isChecking = false;
            } else {
                checkLater();
            }
        });
    }

    private void check() {
        for (Partition partition : List.copyOf(held.keySet())) {
            PendingPush first = held.get(partition).getFirst();
            Course course = refuge.courseOf(first.item(), timers.nowNs() - first.sinceNs() < HELD_MAX_NS);
            if (course != Course.WAIT) {
                onDecided.accept(held.remove(partition), course);
            }
        }
    }
}
