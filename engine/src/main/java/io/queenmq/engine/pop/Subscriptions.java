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
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * From where groups read partitions they have no cursor in. Recorded in the database at a group's first pop, before anything
 * is handed out, so that "new" means: whatever commits after that pop. What the database knows of a group goes with its
 * queue; a group that comes on is recorded again when there is another queue of that name. Owned by the engine loop.
 */
final class Subscriptions {
    private static final int REMEMBERED_MAX = 100_000;

    private final PopRoutines routines;
    private final Catalog catalog;
    private final Timers timers;
    private final Batches<Recording, Subscription> recordings;
    private final Map<Key, Known> inForce = boundedMap();
    /** Subscriptions of an earlier history of the database that were not recorded again yet. */
    private final Map<Key, Known> earlier = boundedMap();
    private final Map<Key, List<Reply<Subscription>>> recording = new HashMap<>();
    private int era;

    Subscriptions(EngineContext context, PopRoutines routines, Catalog catalog) {
        this.routines = routines;
        this.catalog = catalog;
        this.timers = context.timers();
        this.recordings = new Batches<>(context, Operation.SUBSCRIBE,
                context.connections().ofCatalog(Durability.FLUSHED), new RecordingCarrier());
    }

    /** The group's subscription, or null when it has to be recorded first. */
    Subscription find(PopCommand command) {
        if (command.group().equals(PopCommand.QUEUE_MODE)) {
            return Subscription.ALL;
        }
        Key key = Key.of(command);
        Known known = inForce.get(key);
        if (known == null) {
            return null;
        }
        UUID queueId = idOf(key.queue);
        // While there is no queue, nothing can be read, and nothing need be recorded.
        return queueId == null || queueId.equals(known.queueId) ? known.subscription : null;
    }

    void require(PopCommand command, Reply<Subscription> reply) {
        Key key = Key.of(command);
        List<Reply<Subscription>> waiting = recording.computeIfAbsent(key, _ -> new ArrayList<>(1));
        waiting.add(reply);
        if (waiting.size() == 1) {
            recordings.offer(new Recording(key, wanted(key, command), idOf(key.queue), era));
        }
    }

    private Subscription wanted(Key key, PopCommand command) {
        Known known = inForce.get(key);
        if (known != null) {
            return known.subscription.forAnotherQueue();
        }
        Known lost = earlier.get(key);
        if (lost == null) {
            return command.subscription();
        }
        UUID queueId = idOf(key.queue);
        return queueId != null && queueId.equals(lost.queueId)
                ? lost.subscription.since(databaseTimeOf(lost.recordedNs))
                : lost.subscription.forAnotherQueue();
    }

    /**
     * Converts a monotonic time of this server to the clock of the PostgreSQL that is connected now. The clock of a standby may
     * differ from that of the primary before it, so a time that the primary reported is not used.
     */
    private long databaseTimeOf(long momentNs) {
        return catalog.databaseClock().nowMicros() - (timers.nowNs() - momentNs) / 1_000;
    }

    /**
     * The database has another history, which may not have all subscriptions. A group whose subscription is recorded again
     * begins where it began: what other servers stored meanwhile is new to it, and what was stored before it began is not.
     */
    void startOver() {
        inForce.forEach(earlier::putIfAbsent);
        dropInForce();
    }

    /** An operator changed some: each is asked for again when it is needed, and a deleted group begins anew. */
    void forgetAll() {
        earlier.clear();
        dropInForce();
    }

    private void dropInForce() {
        inForce.clear();
        era++;
    }

    private static Map<Key, Known> boundedMap() {
        return new LinkedHashMap<>(64, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Key, Known> eldest) {
                return size() > REMEMBERED_MAX;
            }
        };
    }

    /** Null while there is no such queue, or when none was named. */
    private UUID idOf(String queueName) {
        Queue queue = queueName.isEmpty() ? null : catalog.find(queueName);
        return queue == null ? null : queue.id();
    }

    /**
     * @param queueId the queue it was recorded for; null when there was none of that name
     * @param recordedNs when the database confirmed it, by the monotonic clock of this server
     */
    private record Known(Subscription subscription, UUID queueId, long recordedNs) {}

    /** What a subscription is of: a queue, or all queues of a namespace and task. */
    record Key(String group, String queue, String namespace, String task) {
        static Key of(PopCommand command) {
            return switch (command.source()) {
                case PopCommand.Source.Partition(var queue, _) -> new Key(command.group(), queue, "", "");
                case PopCommand.Source.Queue(var queue) -> new Key(command.group(), queue, "", "");
                case PopCommand.Source.Filter(var namespace, var task) ->
                    new Key(command.group(), "", namespace, task);
            };
        }
    }

    /** @param era when it was asked for: what was answered before an operator's change is not remembered */
    private record Recording(Key key, Subscription wanted, UUID queueId, int era) {}

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
            recording.remove(one.key).forEach(reply -> reply.succeed(subscription));
        }

        @Override
        public void refuse(Recording one, Failure failure) {
            recording.remove(one.key).forEach(reply -> reply.fail(failure));
        }
    }
}
