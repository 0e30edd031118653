package io.queenmq.engine.push;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.push.SpoolGateway.Decision;
import io.queenmq.engine.time.Timers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Delays pushes to partitions whose last spooled messages are being stored. If these pushes were spooled as well, the spool would
 * never drain a partition with busy producers. A push is delayed for about {@link #HELD_MAX_NS} at most. Pushes of one partition
 * keep their order. Owned by the engine loop.
 */
final class HeldPushes {
    /** After this time a push is spooled, so that a slow drain does not delay producers any longer. */
    static final long HELD_MAX_NS = 1_000_000_000;

    private final SpoolGateway spool;
    private final Timers timers;
    private final Map<Partition, List<PendingPush>> held = new LinkedHashMap<>();

    private record Partition(String queue, String name) {
        static Partition of(PushItem item) {
            return new Partition(item.queue(), item.partition());
        }
    }

    /** The pushes of one partition that no longer wait, in their order, with a decision other than WAIT. */
    record Released(List<PendingPush> pushes, Decision decision) {}

    HeldPushes(SpoolGateway spool, Timers timers) {
        this.spool = spool;
        this.timers = timers;
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    /** Decides about a new message. It waits if earlier messages of its partition are held. */
    Decision decide(PushItem item) {
        return held.containsKey(Partition.of(item)) ? Decision.WAIT : spool.decide(item, true);
    }

    void add(PendingPush pending) {
        held.computeIfAbsent(Partition.of(pending.item()), _ -> new ArrayList<>()).add(pending);
    }

    /** Removes and returns the pushes that need not wait any longer. */
    List<Released> release() {
        List<Released> released = new ArrayList<>();
        held.values().removeIf(pushes -> {
            PendingPush first = pushes.getFirst();
            Decision decision = spool.decide(first.item(), timers.nowNs() - first.sinceNs() < HELD_MAX_NS);
            return decision != Decision.WAIT && released.add(new Released(pushes, decision));
        });
        return released;
    }
}
