package io.queenmq.engine.cluster;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.engine.cluster.Hint.Arrival;
import io.queenmq.engine.cluster.Hint.CatalogChange;
import io.queenmq.engine.cluster.Hint.FreePartition;
import io.queenmq.engine.cluster.Hint.Heartbeat;
import io.queenmq.engine.cluster.Hint.HeartbeatReply;
import io.queenmq.engine.cluster.Hint.Introduction;
import io.queenmq.engine.cluster.Hint.IntroductionRequest;
import io.queenmq.engine.cluster.Hint.PartitionEvents;
import io.queenmq.engine.cluster.Hint.PartitionHead;
import io.queenmq.engine.cluster.Hint.PushedQueue;
import io.queenmq.engine.config.ClusterConfig;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.time.Timers;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The peers of this server: selects the hints for each peer, and dispatches received hints. Servers send introductions
 * with the queues that they subscribe to. A lost introduction is requested after the next heartbeat. Received hints are
 * never forwarded. Owned by the engine loop.
 */
public final class Peers implements Transport.Listener {
    /** The most queues in an introduction. A server that reads more subscribes to all queues. */
    private static final int QUEUES_MAX = 500;
    private static final int CHARACTERS_MAX = 32_000;
    /** A hint costs about as much as three pushes, so under load the events of a few milliseconds share one. */
    private static final long SEND_EVERY_NS = 3_000_000;
    /** Consumers that start together are announced in one introduction. */
    private static final long INTRODUCE_AFTER_NS = 5_000_000;

    /** Receives the hints of peers. */
    public interface HintListener {
        /** Ignores all hints. */
        HintListener NONE = new HintListener() {
            @Override
            public void pushed(String queue, UUID queueId, String partition, long head) {}

            @Override
            public void freed(UUID partitionId, String group) {}

            @Override
            public void arrived(String queue, @Nullable String partition) {}

            @Override
            public void catalogChanged() {}

            @Override
            public Set<String> queuesRead() {
                return Set.of();
            }
        };

        void pushed(String queue, UUID queueId, String partition, long head);

        void freed(UUID partitionId, String group);

        void arrived(String queue, @Nullable String partition);

        void catalogChanged();

        /** Returns the queues that consumers of this server read, now or recently. */
        Set<String> queuesRead();
    }

    private final boolean isEnabled;
    private final ServerIdentity identity;
    private final long silentAfterNs;
    private final Transport transport;
    private final Timers timers;
    private final Executor loop;
    private final long startedAtMs;
    private final Map<UUID, Peer> byId = new LinkedHashMap<>();
    private final Set<String> wanted = new HashSet<>();
    private final HintBuffer buffer = new HintBuffer();
    private HintListener hints = HintListener.NONE;
    private Introduction introduction;
    private boolean isEverythingWanted;
    private boolean isIntroductionDue;
    private boolean isSendDue;
    private long sentNs;
    private boolean isCatalogChanged;
    private boolean isLeaving;
    /** Read by meters on other threads. */
    private volatile int alive;
    private volatile int dead;

    /** @param loop runs a task on the engine loop after the current one */
    public Peers(ServerIdentity identity, ClusterConfig config, Transport transport, Timers timers, Executor loop,
            MeterRegistry meters) {
        this.isEnabled = config.isEnabled();
        this.identity = identity;
        this.silentAfterNs = config.silentAfter().toNanos();
        this.transport = transport;
        this.timers = timers;
        this.loop = loop;
        this.startedAtMs = timers.epochMicros() / 1_000;
        this.sentNs = timers.nowNs() - SEND_EVERY_NS;
        this.introduction = new Introduction(0, identity.name(), identity.version(), startedAtMs, false, Set.of(),
                false);
        if (isEnabled) {
            timers.every(config.heartbeatEvery().toNanos(), this::sendHeartbeats);
        }
        register(meters);
    }

    /** Must be called once, before any other method. */
    public void open(HintListener hints) {
        this.hints = hints;
        introduction = introduction(1);
    }

    private Introduction introduction(long edition) {
        Set<String> queues = isLeaving ? Set.of() : hints.queuesRead();
        boolean isEverything = queues.size() > QUEUES_MAX
                || queues.stream().mapToInt(String::length).sum() > CHARACTERS_MAX;
        return new Introduction(edition, identity.name(), identity.version(), startedAtMs, isEverything,
                isEverything ? Set.of() : queues, isLeaving);
    }

    /** Called when consumers of this server begin to read another queue. */
    public void interestsChanged() {
        if (isEnabled && !isIntroductionDue) {
            isIntroductionDue = true;
            timers.after(INTRODUCE_AFTER_NS, this::updateIntroduction);
        }
    }

    private void updateIntroduction() {
        isIntroductionDue = false;
        Introduction now = introduction(introduction.edition());
        if (!now.equals(introduction)) {
            introduction = introduction(introduction.edition() + 1);
            byId.values().forEach(peer -> transport.send(peer.id(), introduction));
        }
    }

    /** Ends the subscriptions of this server, because it is about to stop. It continues to send hints. */
    public void leave() {
        isLeaving = true;
        updateIntroduction();
    }

    /** Called when this server has stored messages. The head is the next offset of the partition. */
    public void pushed(Queue queue, String partition, long head) {
        if (isWanted(queue.name())) {
            buffer.pushed(queue, partition, head);
            scheduleSend();
        }
    }

    /**
     * Called when a lease of a group ended and the partition may have more messages for the group.
     *
     * @param queue the name of the queue; null if it is not known
     */
    public void released(@Nullable String queue, UUID partitionId, String group) {
        if (queue != null && isWanted(queue)) {
            buffer.freed(queue, partitionId, group);
            scheduleSend();
        }
    }

    /** Called when the partition may have messages to deliver; any partition of the queue if it is null. */
    public void arrived(String queue, @Nullable String partition) {
        long nowNs = timers.nowNs();
        for (Peer peer : byId.values()) {
            if (peer.introduction() != null && peer.introduction().isInterestedIn(queue)
                    && !peer.isSilent(nowNs, silentAfterNs)) {
                transport.send(peer.id(), new Arrival(queue, partition));
            }
        }
    }

    /** Called when queues, pauses, cursors or the state of the system were changed through this server. */
    public void catalogChanged() {
        if (!byId.isEmpty()) {
            isCatalogChanged = true;
            scheduleSend();
        }
    }

    private boolean isWanted(String queue) {
        return isEverythingWanted || wanted.contains(queue);
    }

    private void scheduleSend() {
        if (isSendDue) {
            return;
        }
        isSendDue = true;
        long waitNs = sentNs + SEND_EVERY_NS - timers.nowNs();
        if (waitNs <= 0) {
            loop.execute(this::sendHints);
        } else {
            timers.after(waitNs, this::sendHints);
        }
    }

    private void sendHints() {
        isSendDue = false;
        long nowNs = timers.nowNs();
        sentNs = nowNs;
        for (Peer peer : byId.values()) {
            Introduction reader = peer.introduction();
            if (reader == null) {
                continue;
            }
            List<Hint> hints = buffer.hintsFor(reader);
            if (peer.isSilent(nowNs, silentAfterNs)) {
                transport.traffic().countDropped(hints.size());
                continue;
            }
            if (isCatalogChanged) {
                transport.send(peer.id(), new CatalogChange());
            }
            hints.forEach(hint -> transport.send(peer.id(), hint));
        }
        isCatalogChanged = false;
        buffer.clear();
    }

    private void sendHeartbeats() {
        byId.values().forEach(peer -> transport.send(peer.id(), new Heartbeat(introduction.edition(), timers.nowNs())));
        // Queues that consumers stop reading cause no event, so they are removed here.
        interestsChanged();
    }

    @Override
    public void members(Set<UUID> others) {
        byId.keySet().retainAll(others);
        for (UUID id : others) {
            if (byId.putIfAbsent(id, new Peer(id, timers.epochMicros() / 1_000, timers.nowNs())) == null) {
                transport.send(id, introduction);
            }
        }
        collectWanted();
    }

    @Override
    public void received(UUID from, Hint hint) {
        Peer peer = byId.get(from);
        if (peer == null) {
            // The peer has left, or its membership has not arrived yet.
            return;
        }
        peer.received(timers.nowNs());
        switch (hint) {
            case Introduction latest -> {
                if (peer.introduce(latest)) {
                    collectWanted();
                }
            }
            case IntroductionRequest() -> transport.send(from, introduction);
            case Heartbeat(var edition, var sentNs) -> {
                transport.send(from, new HeartbeatReply(sentNs));
                if (!peer.isKnownAs(edition)) {
                    transport.send(from, new IntroductionRequest());
                }
            }
            case HeartbeatReply(var sentNs) -> peer.heartbeatAnswered(sentNs, timers.nowNs());
            case PartitionEvents(var pushed, var freed) -> dispatch(pushed, freed);
            case Arrival(var queue, var partition) -> hints.arrived(queue, partition);
            case CatalogChange() -> hints.catalogChanged();
        }
    }

    private void dispatch(List<PushedQueue> pushed, List<FreePartition> freed) {
        for (PushedQueue queue : pushed) {
            for (PartitionHead partition : queue.partitions()) {
                hints.pushed(queue.queue(), queue.queueId(), partition.partition(), partition.head());
            }
        }
        for (FreePartition partition : freed) {
            hints.freed(partition.partitionId(), partition.group());
        }
    }

    private void collectWanted() {
        wanted.clear();
        isEverythingWanted = false;
        for (Peer peer : byId.values()) {
            if (peer.introduction() != null) {
                wanted.addAll(peer.introduction().queues());
                isEverythingWanted |= peer.introduction().isEverything();
            }
        }
    }

    /** Returns the current state. */
    public ClusterReport report(ClusterReport.QueueCache cache) {
        long nowNs = timers.nowNs();
        List<ClusterReport.Member> members = byId.values().stream()
                .map(peer -> peer.report(!peer.isSilent(nowNs, silentAfterNs))).toList();
        alive = (int) members.stream().filter(ClusterReport.Member::isAlive).count();
        dead = members.size() - alive;
        return new ClusterReport(isEnabled, transport.isJoined(),
                new ClusterReport.Self(identity.id(), identity.name(), identity.version()), transport.address(),
                members, transport.traffic().counts(), introduction.isEverything() ? -1 : introduction.queues().size(),
                cache);
    }

    private void register(MeterRegistry meters) {
        Gauge.builder("queen.shared.state.enabled", () -> isEnabled ? 1 : 0)
                .description("1 if servers of the database exchange hints.").register(meters);
        if (isEnabled) {
            count(meters, "alive", () -> alive);
            count(meters, "dead", () -> dead);
            count(meters, "sent", Traffic.Counts::sent);
            count(meters, "received", Traffic.Counts::received);
            count(meters, "dropped", Traffic.Counts::dropped);
            count(meters, "refused",
                    counts -> counts.refused() + counts.repeated() + counts.malformed() + counts.ofOtherVersion());
        }
    }

    private static void count(MeterRegistry meters, String state, Supplier<Number> servers) {
        Gauge.builder("queen.servers", servers).description("Other servers of the database, by state.")
                .tag("state", state).register(meters);
    }

    private void count(MeterRegistry meters, String direction, ToLongFunction<Traffic.Counts> which) {
        FunctionCounter
                .builder("queen.transport.messages", transport.traffic(),
                        traffic -> which.applyAsLong(traffic.counts()))
                .description("Hints between servers, by direction.").tag("dir", direction).register(meters);
    }
}
