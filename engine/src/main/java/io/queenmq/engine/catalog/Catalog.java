package io.queenmq.engine.catalog;

import io.queenmq.engine.batch.Batches;
import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.command.ConfigureCommand;
import io.queenmq.engine.command.ConfigureOutcome;
import io.queenmq.engine.command.DeleteQueueCommand;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.DatabaseHistory;
import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.DatabaseClock;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import io.vertx.core.VertxException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The queues there are, as this server knows them: its own changes at once, those of other servers within a second.
 * Owned by the engine loop.
 */
public final class Catalog {
    private static final long LOOK_EVERY_NS = 1_000_000_000;
    private static final long UNREAD = -1;

    private final QueueRoutines routines;
    private final Timers timers;
    private final DatabaseClock databaseClock;
    private final Batches<Creation, Queue> creations;
    private final Batches<ConfigureCommand, ConfigureOutcome> configurations;
    private final Batches<DeleteQueueCommand, Boolean> deletions;
    private final Batches<Look, Sight> looks;
    private final Map<String, Queue> byName = new HashMap<>();
    private final QueueDirectory directory = new QueueDirectory();
    private final Map<String, List<Reply<Queue>>> creating = new HashMap<>();
    private final List<Consumer<String>> listeners = new ArrayList<>();
    private Runnable onMaintenance = () -> {};
    private Runnable onOwnChange = () -> {};
    private CatalogState state = CatalogState.UNKNOWN;
    private final List<Revisions> revisions = new ArrayList<>();
    private final Set<Look> looksUnderWay = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Queues of an earlier history of the database that the current one may not have. */
    private final Set<UUID> maybeLost = new HashSet<>();
    private final DatabaseHistory history;
    private long newest = UNREAD;
    private long hits;
    private long misses;

    /** @param hasKey whether this server can encrypt */
    public Catalog(EngineContext context, boolean hasKey) {
        ConnectionPool connections = context.connections().ofCatalog(Durability.FLUSHED);
        this.history = context.connections().history();
        this.routines = new QueueRoutines(context.apiSchema(), context.config().dedupWindow());
        this.timers = context.timers();
        this.databaseClock = new DatabaseClock(context.timers());
        this.creations = new Batches<>(context, Operation.CREATE_QUEUE, connections,
                new CreationCarrier());
        this.configurations = new Batches<>(context, Operation.CONFIGURE, connections,
                new Configurations(routines, hasKey, this::takeOwn));
        this.deletions = new Batches<>(context, Operation.DELETE_QUEUE, connections,
                new Deletions(routines, this::onDeleted));
        this.looks = new Batches<>(context, Operation.CATALOG, connections, new LookCarrier());
    }

    /** The time of the database that holds the catalog; reported with every look. */
    public DatabaseClock databaseClock() {
        return databaseClock;
    }

    /** Reads all queues, and goes on looking for changes. */
    public void open(Reply<Void> reply) {
        looks.offer(new Look(Reply.of(done -> {
            reply.succeed(done);
            lookLater();
        }, failure -> {
            reply.fail(failure);
            lookLater();
        })));
    }

    /**
     * The database has another history: whatever its version, the catalog is read and taken as a whole. Until then no push
     * succeeds, because no encryption epoch is known. The queues stay, so that waiting pops stay with them; each is replaced
     * or removed by what is read.
     */
    public void startOver() {
        byName.values().forEach(queue -> maybeLost.add(queue.id()));
        state = CatalogState.UNKNOWN;
        newest = UNREAD;
        look(Reply.ignored());
    }

    /**
     * Whether the queue existed in an earlier history of the database, and was lost with it. Such a queue was not deleted:
     * messages that were accepted for it go to the queue that is created under its name.
     */
    public boolean isLost(UUID queueId) {
        return maybeLost.contains(queueId);
    }

    private void lookLater() {
        timers.after(LOOK_EVERY_NS, () -> open(Reply.ignored()));
    }

    /** Called with a queue's name whenever it was created, changed or deleted. */
    public void onChange(Consumer<String> listener) {
        listeners.add(listener);
    }

    /** Called whenever something was switched off or on again for maintenance. */
    public void onMaintenance(Runnable listener) {
        onMaintenance = listener;
    }

    /** Called whenever queues were created, changed or deleted through this server. */
    public void onOwnChange(Runnable listener) {
        onOwnChange = listener;
    }

    public Maintenance maintenance() {
        return state.maintenance();
    }

    /** Whether the queues were read at all. */
    public boolean isKnown() {
        return newest >= 0;
    }

    /** Which queues are encrypted is known as of this epoch, or better. */
    public long encryptionEpoch() {
        return state.encryptionEpoch();
    }

    /** Whether every server decrypts messages that are bound to their position, so that new ones may be. */
    public boolean isBinding() {
        return state.isBinding();
    }

    public void onRevision(Revisions listener) {
        revisions.add(listener);
    }

    /** The queue, or null when there is none that this server knows of. */
    public Queue find(String name) {
        Queue known = byName.get(name);
        hits += known == null ? 0 : 1;
        misses += known == null ? 1 : 0;
        return known;
    }

    /** Returns the same queues, for other threads. */
    public QueueDirectory directory() {
        return directory;
    }

    public Collection<Queue> all() {
        return byName.values();
    }

    /** The queue of that name, created with default options if need be. */
    public void require(String name, Reply<Queue> reply) {
        Queue known = byName.get(name);
        if (known != null) {
            hits++;
            reply.succeed(known);
        } else if (creating.containsKey(name)) {
            creating.get(name).add(reply);
        } else {
            creating.put(name, new ArrayList<>(List.of(reply)));
            creations.offer(Creation.of(name, timers.nowNs()));
        }
    }

    public void configure(ConfigureCommand command) {
        configurations.offer(command);
    }

    public void delete(DeleteQueueCommand command) {
        deletions.offer(command);
    }

    /** Looks at once whether something has changed, for whoever knows that it has. */
    public void look(Reply<Void> reply) {
        looks.offer(new Look(reply));
    }

    /** How often a queue that somebody asked for was known. */
    public long hits() {
        return hits;
    }

    public long misses() {
        return misses;
    }

    /** Forgets a queue that turned out to be deleted. */
    public void forget(Queue queue) {
        touch(queue.name());
        drop(queue);
    }

    /** What a look under way has read of this queue may be older than what is known now. */
    private void touch(String name) {
        looksUnderWay.forEach(look -> look.touched.add(name));
    }

    private void drop(Queue queue) {
        if (byName.remove(queue.name(), queue)) {
            directory.remove(queue);
            announce(queue.name());
        }
    }

    /**
     * Takes what one call answered about one queue, though an answer that was given earlier may come later. So it never
     * switches encryption off: who looks at all queues learns that, in the order of versions.
     */
    private void take(Queue queue) {
        touch(queue.name());
        Queue known = byName.get(queue.name());
        if (known != null && isEncryptionLess(queue, known)) {
            look(Reply.ignored());
        } else {
            put(queue);
        }
    }

    private void takeOwn(Queue queue) {
        take(queue);
        onOwnChange.run();
    }

    private void onDeleted(String name) {
        Queue known = byName.get(name);
        if (known != null) {
            forget(known);
        }
        onOwnChange.run();
    }

    /** Whether one and the same queue is encrypted by what is known of it elsewhere, and not by this. */
    private static boolean isEncryptionLess(Queue queue, Queue elsewhere) {
        return elsewhere.id().equals(queue.id()) && elsewhere.options().encryptionEnabled()
                && !queue.options().encryptionEnabled();
    }

    private void put(Queue queue) {
        Queue before = byName.put(queue.name(), queue);
        if (!queue.equals(before)) {
            directory.put(before, queue);
            announce(queue.name());
        }
    }

    private void announce(String name) {
        listeners.forEach(listener -> listener.accept(name));
    }

    private void replaceAll(Map<String, Queue> queues, Set<String> touched) {
        List<Queue> gone = byName.values().stream()
                .filter(queue -> !queues.containsKey(queue.name()) && !touched.contains(queue.name())).toList();
        gone.forEach(this::drop);
        for (Queue queue : queues.values()) {
            Queue known = byName.get(queue.name());
            // In doubt which of the two is older, a queue is encrypted: the epoch taken with this look vouches for it.
            boolean isSafer = known == null ? queue.options().encryptionEnabled() : isEncryptionLess(known, queue);
            if (!touched.contains(queue.name()) || isSafer) {
                put(queue);
            }
        }
    }

    private void take(Look look, CatalogState now, Map<String, Queue> queues,
            List<QueueRoutines.RevisedPartition> partitions) {
        CatalogState before = state;
        boolean isFirst = before.version() < 0;
        boolean isTooLate = before.version() < now.partitionsSince();
        newest = now.version();
        // What was left out is read by the next look.
        state = look.touched.isEmpty() ? now : now.asOf(before.version());
        // Before anybody who waits is woken by what follows.
        if (!isFirst && now.subscriptionVersion() != before.subscriptionVersion()) {
            revisions.forEach(Revisions::subscriptionsChanged);
        }
        replaceAll(queues, look.touched);
        queues.values().forEach(queue -> maybeLost.remove(queue.id()));
        if (!now.maintenance().equals(before.maintenance())) {
            onMaintenance.run();
        }
        if (!isFirst) {
            for (Revisions listener : revisions) {
                if (isTooLate || partitions == null) {
                    listener.partitionsMissed();
                } else {
                    partitions
                            .forEach(partition -> listener.partitionRevised(partition.queue(), partition.partition()));
                }
            }
        }
    }

    /** PostgreSQL cannot reach a shard, so it cannot name the partitions there; what else has changed counts all the same. */
    private static Future<List<QueueRoutines.RevisedPartition>> withoutPartitions(Throwable cause) {
        return SqlFailure.isNodeUnreachable(cause) ? Future.succeededFuture(null) : Future.failedFuture(cause);
    }

    /**
     * A look at what has changed.
     *
     * @param touched names of queues this server has changed itself since the look began
     */
    private record Look(Reply<Void> reply, Set<String> touched) {
        Look(Reply<Void> reply) {
            this(reply, new HashSet<>(0));
        }
    }

    private final class CreationCarrier implements Carrier<Creation, Queue> {
        @Override
        public Future<List<Queue>> carry(Connection connection, List<Creation> batch) {
            return routines.create(connection, batch.stream().map(Creation::name).toList(),
                    batch.stream().map(Creation::namespace).toList(), batch.stream().map(Creation::task).toList())
                    .map(queues -> {
                        Map<String, Queue> created = new HashMap<>();
                        queues.forEach(queue -> created.put(queue.name(), queue));
                        return batch.stream().map(creation -> created.get(creation.name())).toList();
                    });
        }

        @Override
        public void settle(Creation creation, Queue created) {
            if (created != null) {
                takeOwn(created);
            }
            Queue queue = byName.get(creation.name());
            if (queue == null) {
                // Somebody deleted it between the two looks of the routine.
                creations.offer(creation, creation.sinceNs());
            } else {
                creating.remove(creation.name()).forEach(reply -> reply.succeed(queue));
            }
        }

        @Override
        public void refuse(Creation creation, Failure failure) {
            creating.remove(creation.name()).forEach(reply -> reply.fail(failure));
        }
    }

    private final class LookCarrier implements Carrier<Look, Sight> {
        @Override
        public Future<List<Sight>> carry(Connection connection, List<Look> batch) {
            Look look = batch.getFirst();
            look.touched.clear();
            looksUnderWay.add(look);
            long newestBefore = newest;
            return routines.state(connection, databaseClock).<Sight>compose(now -> {
                if (now.version() < newestBefore) {
                    // What was read before was committed before: a version never decreases within one history.
                    history.contradicted("catalog version " + newestBefore + " -> " + now.version());
                    return Future.failedFuture(new VertxException("the database history changed", true));
                }
                long known = state.version();
                if (now.equals(state)) {
                    return Future.succeededFuture(new Sight.Same());
                }
                return routines.all(connection).compose(queues -> routines.revisedPartitions(connection, known)
                        .recover(Catalog::withoutPartitions)
                        .map(partitions -> new Sight.Changed(now, queues, partitions)));
            }).map(List::of);
        }

        @Override
        public void settle(Look look, Sight sight) {
            looksUnderWay.remove(look);
            // Of two looks under way at once, the later one may be answered first.
            if (sight instanceof Sight.Changed(var now, var queues, var partitions) && now.version() >= newest) {
                take(look, now, queues, partitions);
            }
            look.reply.succeed(null);
        }

        @Override
        public void refuse(Look look, Failure failure) {
            looksUnderWay.remove(look);
            look.reply.fail(failure);
        }
    }
}
