package io.queenmq.engine.cluster;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.engine.cluster.Hint.Arrival;
import io.queenmq.engine.cluster.Hint.Beat;
import io.queenmq.engine.cluster.Hint.CatalogChange;
import io.queenmq.engine.cluster.Hint.Echo;
import io.queenmq.engine.cluster.Hint.FreePartition;
import io.queenmq.engine.cluster.Hint.Introduction;
import io.queenmq.engine.cluster.Hint.PartitionHead;
import io.queenmq.engine.cluster.Hint.PushedQueue;
import io.queenmq.engine.cluster.Hint.Question;
import io.queenmq.engine.cluster.Hint.Ring;
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

/**
 * The other servers as this one knows them: decides what is told to whom, and lets in what they tell. Servers introduce
 * themselves with the queues they want to hear of; an introduction that gets lost is asked for after the next beat. What is
 * told by others is never told again. Owned by the engine loop.
 */
public final class Peers implements Transport.Listener {
    /** Queues that an introduction names at most; a server that reads more hears of everything. */
    private static final int QUEUES_MAX = 500;
    private static final int CHARACTERS_MAX = 32_000;
    /** A hint costs about as much as three pushes, so that under load the turns of a few milliseconds share one. */
    private static final long TELL_EVERY_NS = 3_000_000;
    /** Consumers that begin together are told of together. */
    private static final long INTRODUCE_AFTER_NS = 5_000_000;

    /** Where hints come in: the same doors that this server's own news goes through. */
    public interface Doors {
        void pushed(String queue, UUID queueId, String partition, long head);

        void freed(UUID partitionId, String group);

        void rung(String queue, String partition);

        void catalogChanged();

        /** The queues that somebody waits for or has lately read here. */
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
    private final Turn turn = new Turn();
    private Doors doors;
    private Introduction introduction;
    private boolean isEverythingWanted;
    private boolean isIntroductionDue;
    private boolean isTurnDue;
    private long toldNs;
    private boolean isCatalogChanged;
    private boolean isLeaving;
    /** Read by whoever asks for numbers. */
    private volatile int alive;
    private volatile int dead;

    /** @param loop runs a task on the engine loop after what happens there now */
    public Peers(ServerIdentity identity, ClusterConfig config, Transport transport, Timers timers, Executor loop,
            MeterRegistry meters) {
        this.isEnabled = config.isEnabled();
        this.identity = identity;
        this.silentAfterNs = config.silentAfter().toNanos();
        this.transport = transport;
        this.timers = timers;
        this.loop = loop;
        this.startedAtMs = timers.epochMicros() / 1_000;
        this.toldNs = timers.nowNs() - TELL_EVERY_NS;
        if (isEnabled) {
            timers.every(config.beatEvery().toNanos(), this::beat);
        }
        register(meters);
    }

    /** Called once, before anything is told or heard. */
    public void open(Doors doors) {
        this.doors = doors;
        introduction = introduction(1);
    }

    private Introduction introduction(long edition) {
        Set<String> queues = isLeaving ? Set.of() : doors.queuesRead();
        boolean isEverything = queues.size() > QUEUES_MAX
                || queues.stream().mapToInt(String::length).sum() > CHARACTERS_MAX;
        return new Introduction(edition, identity.name(), identity.version(), startedAtMs, isEverything,
                isEverything ? Set.of() : queues, isLeaving);
    }

    /** One more queue is read on this server. */
    public void interestsChanged() {
        if (isEnabled && !isIntroductionDue) {
            isIntroductionDue = true;
            timers.after(INTRODUCE_AFTER_NS, this::introduceAnew);
        }
    }

    private void introduceAnew() {
        isIntroductionDue = false;
        Introduction now = introduction(introduction.edition());
        if (!now.equals(introduction)) {
            introduction = introduction(introduction.edition() + 1);
            byId.values().forEach(peer -> transport.send(peer.id(), introduction));
        }
    }

    /** This server is about to stop: it goes on telling, but wants to hear of nothing any more. */
    public void leave() {
        isLeaving = true;
        introduceAnew();
    }

    /** This server stored messages; head is the next offset of the partition. */
    public void pushed(Queue queue, String partition, long head) {
        if (isWanted(queue.name())) {
            turn.pushed(queue, partition, head);
            tellAfterTurn();
        }
    }

    /**
     * A lease of a group ended, and the partition may have more messages for the group.
     *
     * @param queue the name of the queue; null if it is not known
     */
    public void released(String queue, UUID partitionId, String group) {
        if (queue != null && isWanted(queue)) {
            turn.freed(queue, partitionId, group);
            tellAfterTurn();
        }
    }

    /** Somebody knows that something came into the partition, or into any of the queue when it is null. */
    public void rung(String queue, String partition) {
        long nowNs = timers.nowNs();
        for (Peer peer : byId.values()) {
            if (peer.introduction() != null && peer.introduction().isInterestedIn(queue)
                    && !peer.isSilent(nowNs, silentAfterNs)) {
                transport.send(peer.id(), new Ring(queue, partition));
            }
        }
    }

    /** Queues, pauses, cursors or the state of the system were changed through this server. */
    public void catalogChanged() {
        if (!byId.isEmpty()) {
            isCatalogChanged = true;
            tellAfterTurn();
        }
    }

    private boolean isWanted(String queue) {
        return isEverythingWanted || wanted.contains(queue);
    }

    private void tellAfterTurn() {
        if (isTurnDue) {
            return;
        }
        isTurnDue = true;
        long waitNs = toldNs + TELL_EVERY_NS - timers.nowNs();
        if (waitNs <= 0) {
            loop.execute(this::tell);
        } else {
            timers.after(waitNs, this::tell);
        }
    }

    private void tell() {
        isTurnDue = false;
        long nowNs = timers.nowNs();
        toldNs = nowNs;
        for (Peer peer : byId.values()) {
            Introduction reader = peer.introduction();
            if (reader == null) {
                continue;
            }
            List<Hint> hints = turn.hintsFor(reader);
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
        turn.clear();
    }

    private void beat() {
        byId.values().forEach(peer -> transport.send(peer.id(),
                new Beat(introduction.edition(), timers.nowNs())));
        // What nobody reads any more is forgotten without a word.
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
        gatherWanted();
    }

    @Override
    public void heard(UUID from, Hint hint) {
        Peer peer = byId.get(from);
        if (peer == null) {
            // It has left, or its membership is still on its way.
            return;
        }
        peer.heard(timers.nowNs());
        switch (hint) {
            case Introduction latest -> {
                if (peer.introduce(latest)) {
                    gatherWanted();
                }
            }
            case Question() -> transport.send(from, introduction);
            case Beat(var edition, var sentNs) -> {
                transport.send(from, new Echo(sentNs));
                if (!peer.isKnownAs(edition)) {
                    transport.send(from, new Question());
                }
            }
            case Echo(var sentNs) -> peer.echoed(sentNs, timers.nowNs());
            case Arrival(var pushed, var freed) -> letIn(pushed, freed);
            case Ring(var queue, var partition) -> doors.rung(queue, partition);
            case CatalogChange() -> doors.catalogChanged();
        }
    }

    private void letIn(List<PushedQueue> pushed, List<FreePartition> freed) {
        for (PushedQueue queue : pushed) {
            for (PartitionHead partition : queue.partitions()) {
                doors.pushed(queue.queue(), queue.queueId(), partition.partition(), partition.head());
            }
        }
        for (FreePartition partition : freed) {
            doors.freed(partition.partitionId(), partition.group());
        }
    }

    private void gatherWanted() {
        wanted.clear();
        isEverythingWanted = false;
        for (Peer peer : byId.values()) {
            if (peer.introduction() != null) {
                wanted.addAll(peer.introduction().queues());
                isEverythingWanted |= peer.introduction().isEverything();
            }
        }
    }

    /** How things stand now. */
    public ClusterReport report(ClusterReport.QueueCache cache) {
        long nowNs = timers.nowNs();
        List<ClusterReport.Member> members = byId.values().stream()
                .map(peer -> peer.report(!peer.isSilent(nowNs, silentAfterNs))).toList();
        alive = (int) members.stream().filter(ClusterReport.Member::isAlive).count();
        dead = members.size() - alive;
        return new ClusterReport(isEnabled, transport.isJoined(),
                new ClusterReport.Self(identity.id(), identity.name(), identity.version()), transport.address(),
                members, transport.traffic().counts(),
                introduction.isEverything() ? -1 : introduction.queues().size(), cache);
    }

    private void register(MeterRegistry meters) {
        Gauge.builder("queen.shared.state.enabled", () -> isEnabled ? 1 : 0)
                .description("1 when servers on the database tell each other hints.").register(meters);
        if (isEnabled) {
            count(meters, "alive", () -> alive);
            count(meters, "dead", () -> dead);
            count(meters, "sent", Traffic.Counts::sent);
            count(meters, "received", Traffic.Counts::received);
            count(meters, "dropped", Traffic.Counts::dropped);
            count(meters, "refused", counts -> counts.refused() + counts.repeated() + counts.malformed()
                    + counts.ofOtherVersion());
        }
    }

    private static void count(MeterRegistry meters, String state, Supplier<Number> servers) {
        Gauge.builder("queen.servers", servers).description("Other servers on the database, by what is heard of them.")
                .tag("state", state).register(meters);
    }

    private void count(MeterRegistry meters, String direction, ToLongFunction<Traffic.Counts> which) {
        FunctionCounter.builder("queen.transport.messages", transport.traffic(),
                traffic -> which.applyAsLong(traffic.counts()))
                .description("Hints that servers sent each other, by direction.").tag("dir", direction)
                .register(meters);
    }
}
