package io.queenmq.engine.pop;

import io.queenmq.engine.batch.Batches;
import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.Subscription;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of groups: where a group begins to read partitions in which it has no cursor. A subscription is recorded in
 * PostgreSQL at the first pop of a group, before any message is leased, so that "new" means: messages that commit after that
 * pop. It is deleted with its queue, and recorded again for another queue of that name. Owned by the engine loop.
 */
final class Subscriptions {
    private static final int CACHED_MAX = 100_000;

    private final PopRoutines routines;
    private final Catalog catalog;
    private final WaitingPops waiting;
    private final Timers timers;
    private final Batches<Recording, Subscription> recordings;
    private final Map<SubscriptionKey, Known> inForce = boundedMap();
    /** Subscriptions of an earlier history of the database that were not recorded again yet. */
    private final Map<SubscriptionKey, Known> earlier = boundedMap();
    private final Set<SubscriptionKey> recording = new HashSet<>();
    private int era;

    Subscriptions(EngineContext context, PopRoutines routines, Catalog catalog, WaitingPops waiting) {
        this.routines = routines;
        this.catalog = catalog;
        this.waiting = waiting;
        this.timers = context.timers();
        this.recordings = new Batches<>(context, Operation.SUBSCRIBE,
                context.connections().ofCatalog(Durability.FLUSHED), new RecordingCarrier());
    }

    /** Returns the subscription of the group; null if it has to be recorded first. */
    @Nullable
    Subscription find(PopCommand command) {
        if (command.group().equals(PopCommand.QUEUE_MODE)) {
            return Subscription.ALL;
        }
        SubscriptionKey key = SubscriptionKey.of(command);
        Known known = inForce.get(key);
        if (known == null) {
            return null;
        }
        UUID queueId = idOf(key.queue());
        // A queue that does not exist has no messages, so the subscription need not be recorded yet.
        return queueId == null || queueId.equals(known.queueId) ? known.subscription : null;
    }

    /** Records the subscription of a pop, unless that is in flight. Wakes the pops that wait for it. */
    void record(PopCommand command) {
        SubscriptionKey key = SubscriptionKey.of(command);
        if (recording.add(key)) {
            recordings.offer(new Recording(key, wanted(key, command), idOf(key.queue()), era));
        }
    }

    private Subscription wanted(SubscriptionKey key, PopCommand command) {
        Known known = inForce.get(key);
        if (known != null) {
            return known.subscription.forRecreatedQueue();
        }
        Known lost = earlier.get(key);
        if (lost == null) {
            return command.subscription();
        }
        UUID queueId = idOf(key.queue());
        return queueId != null && queueId.equals(lost.queueId)
                ? lost.subscription.since(databaseTimeOf(lost.recordedNs))
                : lost.subscription.forRecreatedQueue();
    }

    /**
     * Converts a monotonic time of this server to the clock of the PostgreSQL that is connected now. The clock of a standby may
     * differ from that of the primary before it, so a time that the primary reported is not used.
     */
    private long databaseTimeOf(long momentNs) {
        return catalog.databaseClock().nowMicros() - (timers.nowNs() - momentNs) / 1_000;
    }

    /**
     * The database has another history, which may lack subscriptions. A group whose subscription is recorded again keeps its
     * start position: messages that other servers stored meanwhile are new to it, older ones are not.
     */
    void reset() {
        inForce.forEach(earlier::putIfAbsent);
        dropInForce();
    }

    /** An operator changed subscriptions: each is loaded again when it is needed, and a deleted group gets a new subscription. */
    void invalidateAll() {
        earlier.clear();
        dropInForce();
    }

    private void dropInForce() {
        inForce.clear();
        era++;
    }

    private static Map<SubscriptionKey, Known> boundedMap() {
        return new LinkedHashMap<>(64, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<SubscriptionKey, Known> eldest) {
                return size() > CACHED_MAX;
            }
        };
    }

    /** Returns null if the queue does not exist, or the name is empty. */
    private @Nullable UUID idOf(String queueName) {
        Queue queue = queueName.isEmpty() ? null : catalog.find(queueName);
        return queue == null ? null : queue.id();
    }

    /**
     * @param queueId the queue it was recorded for; null if it did not exist
     * @param recordedNs when PostgreSQL confirmed it, by the monotonic clock of this server
     */
    private record Known(Subscription subscription, @Nullable UUID queueId, long recordedNs) {}

    /** @param era of the request: an answer from before a change by an operator is not cached */
    private record Recording(SubscriptionKey key, Subscription wanted, @Nullable UUID queueId, int era) {}

    private final class RecordingCarrier implements Carrier<Recording, Subscription> {
        @Override
        public Future<List<Subscription>> carry(Connection connection, List<Recording> batch) {
            Recording one = batch.getFirst();
            return routines.subscribe(connection, one.key, one.wanted).map(List::of);
        }

        @Override
        public void settle(Recording one, Subscription subscription) {
            if (one.era == era) {
                inForce.put(one.key, new Known(subscription, one.queueId, timers.nowNs()));
                earlier.remove(one.key);
            }
            recording.remove(one.key);
            waiting.wakeAll(one.key);
        }

        @Override
        public void refuse(Recording one, Failure failure) {
            recording.remove(one.key);
            waiting.failed(one.key, failure);
        }
    }
}
