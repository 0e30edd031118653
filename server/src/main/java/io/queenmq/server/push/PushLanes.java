package io.queenmq.server.push;

import io.queenmq.server.catalog.Queue;
import io.queenmq.server.config.EngineConfig;
import io.queenmq.server.numbers.Numbers;
import io.queenmq.server.time.Timers;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The lanes pushed to lately, and who may work on them. Bounded by what their windows weigh: the lane that was quiet the
 * longest is forgotten first, and catches up again when it is next pushed to. Owned by the engine loop.
 */
public final class PushLanes {
    /** By how much the clocks of this server and of PostgreSQL may differ. */
    private static final int CLOCKS_APART_S = 600;

    private final Map<UUID, Map<String, PushLane>> byQueue = new HashMap<>();
    private final LinkedHashMap<UUID, PushLane> byUse = new LinkedHashMap<>(1024, 0.75f, true);
    private final EngineConfig config;
    private final Numbers numbers;
    private final Timers timers;
    private long weight;
    private Consumer<PushLane> onFree = _ -> {};
    private Runnable onFreeForBundles = () -> {};

    public PushLanes(EngineConfig config, Numbers numbers, Timers timers) {
        this.config = config;
        this.numbers = numbers;
        this.timers = timers;
    }

    void onFree(Consumer<PushLane> listener) {
        onFree = listener;
    }

    /** Called whenever a lane is free; bundles come first, because they need several at once. */
    public void onFreeForBundles(Runnable listener) {
        onFreeForBundles = listener;
    }

    public PushLane of(Queue queue, String name) {
        Map<String, PushLane> lanes = byQueue.computeIfAbsent(queue.id(), _ -> new HashMap<>());
        PushLane lane = lanes.get(name);
        if (lane == null) {
            lane = new PushLane(queue, name, numbers.of(queue.name()));
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

    /** Takes a lane for one call; false while somebody else works on it. */
    public boolean tryTake(PushLane lane) {
        if (lane.isTaken() || lane.isWanted()) {
            return false;
        }
        lane.setTaken(true);
        return true;
    }

    public void free(PushLane lane) {
        lane.setTaken(false);
        onFreeForBundles.run();
        onFree.accept(lane);
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

    /** Lets a window forget what no longer counts, and takes note of what it weighs. */
    void trim(PushLane lane) {
        if (!lane.isRecalling()) {
            int windowS = windowSeconds(lane);
            lane.window().trim(windowS == 0 ? 0 : config.dedupMessages(),
                    timers.epochMicros() - windowS * 1_000_000L);
        }
        weight += lane.weigh();
        forgetQuietLanes();
    }

    /** How long the lane remembers transactionIds. */
    private int windowSeconds(PushLane lane) {
        Integer own = lane.queue().options().dedupWindowSeconds();
        return own == null ? (int) config.dedupWindow().toSeconds() : own;
    }

    /** How many seconds back the lane has to know what is stored. */
    int reachSeconds(PushLane lane) {
        if (!lane.isRecalling()) {
            return windowSeconds(lane);
        }
        long ageS = (timers.epochMicros() - lane.recallSinceMicros()) / 1_000_000;
        return Math.clamp(ageS + CLOCKS_APART_S, windowSeconds(lane), Integer.MAX_VALUE);
    }

    /** How many messages back a lane has to know what is stored. */
    int reachMessages(PushLane lane) {
        return lane.isRecalling() ? Integer.MAX_VALUE : config.dedupMessages();
    }

    /** Whether a message that is stored there since then makes another with its transactionId a duplicate. */
    boolean isRemembered(PushLane lane, long offset, long createdAtMicros) {
        int windowS = windowSeconds(lane);
        return windowS > 0 && lane.window().known() - offset <= config.dedupMessages()
                && createdAtMicros > timers.epochMicros() - windowS * 1_000_000L;
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
            if (!lane.isTaken() && !lane.isWanted() && !lane.hasWaiting()) {
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
