package io.queenmq.server.push;

import io.queenmq.server.catalog.Queue;
import io.queenmq.server.config.EngineConfig;
import io.queenmq.server.numbers.Numbers;
import io.queenmq.server.time.Timers;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The lanes pushed to lately, and who may work on them. Bounded by what their windows weigh: the lane that was quiet the
 * longest is forgotten first, and catches up again when it is next pushed to. Owned by the engine loop.
 */
public final class PushLanes {
    private final Map<UUID, Map<String, PushLane>> byQueue = new HashMap<>();
    private final LinkedHashMap<UUID, PushLane> byUse = new LinkedHashMap<>(1024, 0.75f, true);
    private final EngineConfig config;
    private final Numbers numbers;
    private final Timers timers;
    private final DedupRule defaultRule;
    private long weight;
    private PushLane owed;
    private Consumer<PushLane> onFree = _ -> {};
    private Consumer<PushLane> onFreeForBundles = _ -> {};

    public PushLanes(EngineConfig config, Numbers numbers, Timers timers) {
        this.timers = timers;
        this.config = config;
        this.numbers = numbers;
        this.defaultRule = DedupRule.ofSeconds(config.dedupWindow().toSeconds(), config.dedupMessages());
    }

    void onFree(Consumer<PushLane> listener) {
        onFree = listener;
    }

    /** Called whenever a lane is free, before single pushes take it: bundles need several lanes at once. */
    void onFreeForBundles(Consumer<PushLane> listener) {
        onFreeForBundles = listener;
    }

    public PushLane of(Queue queue, String name) {
        Map<String, PushLane> lanes = byQueue.computeIfAbsent(queue.id(), _ -> new HashMap<>());
        PushLane lane = lanes.get(name);
        if (lane == null) {
            lane = new PushLane(queue, name, numbers.of(queue.name()), defaultRule);
            lanes.put(name, lane);
            weight += lane.weighed();
            byUse.put(lane.id(), lane);
            forgetQuietLanes();
        } else {
            byUse.get(lane.id());
            lane.follow(queue);
        }
        return lane;
    }

    /** Takes a lane for single pushes; false while a call works on it or a bundle reserves it. */
    boolean tryTake(PushLane lane) {
        if (lane.isTaken() || lane.access().isReserved() && lane != owed) {
            return false;
        }
        take(lane);
        return true;
    }

    /** Takes a lane that is free. */
    void take(PushLane lane) {
        assert !lane.isTaken();
        lane.setTaken(true);
        lane.access().taken(timers.nowNs());
    }

    /** Single pushes have used the lane: bundles are next. */
    void free(PushLane lane) {
        release(lane);
        onFreeForBundles.accept(lane);
        offerToPushes(lane);
    }

    /** A bundle has used the lane: single pushes are next, also where another bundle reserves it, so that they are not starved. */
    void freeFromBundle(PushLane lane) {
        release(lane);
        owed = lane;
        offerToPushes(lane);
        owed = null;
        if (!lane.isTaken()) {
            onFreeForBundles.accept(lane);
        }
    }

    private static void release(PushLane lane) {
        lane.setTaken(false);
        lane.access().freed();
    }

    /** Lets single pushes take the lane, if any wait and nothing keeps them out. */
    void offerToPushes(PushLane lane) {
        if (!lane.isTaken()) {
            onFree.accept(lane);
        }
    }

    public void remove(PushLane lane) {
        Map<String, PushLane> lanes = byQueue.get(lane.queue().id());
        if (lanes != null && lanes.remove(lane.name(), lane)) {
            if (lanes.isEmpty()) {
                byQueue.remove(lane.queue().id());
            }
            byUse.remove(lane.id());
            weight -= lane.weighed();
        }
    }

    /** What is in a queue was changed by an operator: what its windows know may not be there any more. */
    void forgetWindows(Queue queue) {
        for (PushLane lane : byQueue.getOrDefault(queue.id(), Map.of()).values()) {
            if (lane.queue().revision() != queue.revision()) {
                lane.forgetWindow();
            }
        }
    }

    /** The database has another history: nothing is known of any partition any more. */
    void startOver() {
        for (PushLane lane : List.copyOf(byUse.values())) {
            lane.startOver();
            weight += lane.weigh();
            if (!lane.isTaken() && !lane.access().hasBundles() && !lane.hasWaiting()) {
                remove(lane);
            }
        }
    }

    /**
     * Drops from a window what cannot make a message a duplicate any more, and updates the weight of all windows.
     *
     * @param nowMicros a message that is stored later is not accepted before this time of PostgreSQL's clock
     */
    void trim(PushLane lane, long nowMicros) {
        DedupRule rule = lane.rule();
        lane.window().trim(rule.isOff() ? 0 : rule.messagesMax(), nowMicros - rule.windowMicros());
        weight += lane.weigh();
        forgetQuietLanes();
    }

    public int count() {
        return byUse.size();
    }

    public long weight() {
        return weight;
    }

    private void forgetQuietLanes() {
        Iterator<PushLane> quietest = byUse.values().iterator();
        while (weight > config.dedupMemoryMessages() && quietest.hasNext()) {
            PushLane lane = quietest.next();
            if (!lane.isTaken() && !lane.access().hasBundles() && !lane.hasWaiting()) {
                quietest.remove();
                Map<String, PushLane> lanes = byQueue.get(lane.queue().id());
                lanes.remove(lane.name());
                if (lanes.isEmpty()) {
                    byQueue.remove(lane.queue().id());
                }
                weight -= lane.weighed();
            }
        }
    }
}
