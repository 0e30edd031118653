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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The cached queues of the database. Changes through this server are visible at once, those of other servers within a
 * second. {@link CatalogUpdate} decides what a reading of the database changes. Owned by the engine loop.
 */
public final class Catalog {
    private static final long READ_EVERY_NS = 1_000_000_000;
    private static final long UNREAD = -1;

    private final QueueRoutines routines;
    private final Timers timers;
    private final DatabaseClock databaseClock;
    private final Batches<Creation, Optional<Queue>> creations;
    private final Batches<ConfigureCommand, ConfigureOutcome> configurations;
    private final Batches<DeleteQueueCommand, Boolean> deletions;
    private final Batches<Refresh, CatalogReading> refreshes;
    private final Map<String, Queue> byName = new HashMap<>();
    private final QueueDirectory directory = new QueueDirectory();
    private final Map<String, List<Reply<Queue>>> creating = new HashMap<>();
    private final List<Consumer<String>> listeners = new ArrayList<>();
    private Runnable onMaintenance = () -> {};
    private Runnable onOwnChange = () -> {};
    private Consumer<Revision> onRevision = _ -> {};
    private CatalogState state = CatalogState.UNKNOWN;
    private final Set<Refresh> refreshesInFlight = Collections.newSetFromMap(new IdentityHashMap<>());
    private final LostQueues lost = new LostQueues();
    private final DatabaseHistory history;
    private long newest = UNREAD;
    private long hits;
    private long misses;

    /** @param hasKey true if this server can encrypt */
    public Catalog(EngineContext context, boolean hasKey) {
        ConnectionPool connections = context.connections().ofCatalog(Durability.FLUSHED);
        this.history = context.connections().history();
        this.routines = new QueueRoutines(context.apiSchema(), context.config().dedupWindow());
        this.timers = context.timers();
        this.databaseClock = new DatabaseClock(context.timers());
        this.creations = new Batches<>(context, Operation.CREATE_QUEUE, connections, new CreationCarrier());
        this.configurations = new Batches<>(context, Operation.CONFIGURE, connections,
                new Configurations(routines, hasKey, this));
        this.deletions = new Batches<>(context, Operation.DELETE_QUEUE, connections, new Deletions(routines, this));
        this.refreshes = new Batches<>(context, Operation.CATALOG, connections, new RefreshCarrier());
    }

    /** Returns the time of the database that holds the catalog; updated by every reading. */
    public DatabaseClock databaseClock() {
        return databaseClock;
    }

    /** Reads all queues, and from then on the changes once a second. */
    public void open(Reply<@Nullable Void> reply) {
        refreshes.offer(new Refresh(Reply.of(done -> {
            reply.succeed(done);
            readLater();
        }, failure -> {
            reply.fail(failure);
            readLater();
        })));
    }

    /**
     * Loads the whole catalog of another history of the database, for any version. Until then no push succeeds, because
     * the encryption epoch is unknown. The queues stay cached, so that their waiting pops are kept; the result replaces
     * or removes each of them.
     */
    public void reload() {
        lost.historyChanged(byName.values());
        state = CatalogState.UNKNOWN;
        newest = UNREAD;
        refresh(Reply.ignored());
    }

    /**
     * Returns true if the queue existed in an earlier history of the database, and was lost with it. Such a queue was not
     * deleted: messages that were accepted for it are stored in the queue that is created under its name.
     */
    public boolean isLost(UUID queueId) {
        return lost.contains(queueId);
    }

    private void readLater() {
        timers.after(READ_EVERY_NS, () -> open(Reply.ignored()));
    }

    /** Registers a listener that is called with the name of each queue that was created, changed or deleted. */
    public void onChange(Consumer<String> listener) {
        listeners.add(listener);
    }

    /** Sets the listener that is called when pushes or pops were switched off or on for maintenance. */
    public void onMaintenance(Runnable listener) {
        onMaintenance = listener;
    }

    /** Sets the listener that is called when queues were created, changed or deleted through this server. */
    public void onOwnChange(Runnable listener) {
        onOwnChange = listener;
    }

    /** Sets the listener that is called with each revision. */
    public void onRevision(Consumer<Revision> listener) {
        onRevision = listener;
    }

    public Maintenance maintenance() {
        return state.maintenance();
    }

    /** Returns true if the queues were read at least once in the current history of the database. */
    public boolean isKnown() {
        return newest >= 0;
    }

    /** Returns an epoch: every queue whose encryption was switched on by then is known as encrypted. */
    public long encryptionEpoch() {
        return state.encryptionEpoch();
    }

    /** Returns true if every server decrypts messages that are bound to their position, so that new ones may be bound. */
    public boolean isBinding() {
        return state.isBinding();
    }

    /** Returns the queue, or null if the catalog of this server has none with this name. */
    public @Nullable Queue find(String name) {
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

    /** Replies with the queue of that name; creates it with default options if it does not exist. */
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

    /** Reads the changes now instead of at the next interval. */
    public void refresh(Reply<@Nullable Void> reply) {
        refreshes.offer(new Refresh(reply));
    }

    /** Returns how often a requested queue was known. */
    public long hits() {
        return hits;
    }

    public long misses() {
        return misses;
    }

    /** Removes a queue that turned out to be deleted. */
    public void forget(Queue queue) {
        touch(queue.name());
        drop(queue);
    }

    /** Stores a queue that was created or configured through this server. */
    void changed(Queue queue) {
        store(queue);
        onOwnChange.run();
    }

    /** Removes a queue that was deleted through this server. */
    void deleted(String name) {
        Queue known = byName.get(name);
        if (known != null) {
            forget(known);
        }
        onOwnChange.run();
    }

    /** Marks a queue in every refresh in flight, because the version that the refresh reads may be older than the cached one. */
    private void touch(String name) {
        refreshesInFlight.forEach(refresh -> refresh.touched.add(name));
    }

    private void drop(Queue queue) {
        if (byName.remove(queue.name(), queue)) {
            directory.remove(queue);
            announce(queue.name());
        }
    }

    /**
     * Stores the answer of one call about one queue. Answers may arrive out of order, so one that switches encryption off is not
     * trusted: only a reading of all queues, which is ordered by versions, may do that.
     */
    private void store(Queue queue) {
        touch(queue.name());
        Queue known = byName.get(queue.name());
        if (known != null && CatalogUpdate.removesEncryption(known, queue)) {
            refresh(Reply.ignored());
        } else {
            put(queue);
        }
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

    /** @param read all queues that exist in the database */
    private void apply(CatalogUpdate update, Collection<Queue> read) {
        state = update.state();
        update.subscriptions().forEach(onRevision);
        update.removed().forEach(this::drop);
        update.stored().forEach(this::put);
        lost.found(read);
        if (update.isMaintenanceChanged()) {
            onMaintenance.run();
        }
        update.partitions().forEach(onRevision);
    }

    /**
     * Returns null if PostgreSQL cannot reach a shard, so that it cannot name the partitions there. Other changes still
     * count.
     */
    private static Future<List<QueueRoutines.RevisedPartition>> withoutPartitions(Throwable cause) {
        return SqlFailure.isNodeUnreachable(cause) ? Future.succeededFuture(null) : Future.failedFuture(cause);
    }

    /**
     * A reading of the changes.
     *
     * @param touched names of queues that this server has changed itself since the reading began
     */
    private record Refresh(Reply<@Nullable Void> reply, Set<String> touched) {
        Refresh(Reply<@Nullable Void> reply) {
            this(reply, new HashSet<>(0));
        }
    }

    private final class CreationCarrier implements Carrier<Creation, Optional<Queue>> {
        @Override
        public Future<List<Optional<Queue>>> carry(Connection connection, List<Creation> batch) {
            return routines.create(connection, batch.stream().map(Creation::name).toList(),
                    batch.stream().map(Creation::namespace).toList(), batch.stream().map(Creation::task).toList())
                    .map(queues -> {
                        Map<String, Queue> created = new HashMap<>();
                        queues.forEach(queue -> created.put(queue.name(), queue));
                        return batch.stream().map(creation -> Optional.ofNullable(created.get(creation.name())))
                                .toList();
                    });
        }

        @Override
        public void settle(Creation creation, Optional<Queue> created) {
            created.ifPresent(Catalog.this::changed);
            Queue queue = byName.get(creation.name());
            if (queue == null) {
                // The queue was deleted between the two queries of the routine.
                creations.offer(creation, creation.sinceNs());
            } else {
                Objects.requireNonNull(creating.remove(creation.name())).forEach(reply -> reply.succeed(queue));
            }
        }

        @Override
        public void refuse(Creation creation, Failure failure) {
            Objects.requireNonNull(creating.remove(creation.name())).forEach(reply -> reply.fail(failure));
        }
    }

    private final class RefreshCarrier implements Carrier<Refresh, CatalogReading> {
        @Override
        public Future<List<CatalogReading>> carry(Connection connection, List<Refresh> batch) {
            Refresh refresh = batch.getFirst();
            refresh.touched.clear();
            refreshesInFlight.add(refresh);
            long newestBefore = newest;
            return routines.state(connection, databaseClock).compose(now -> read(connection, now, newestBefore))
                    .map(List::of);
        }

        private Future<CatalogReading> read(Connection connection, CatalogState now, long newestBefore) {
            return switch (now.comparedWith(state, newestBefore)) {
                case UNCHANGED -> Future.succeededFuture(new CatalogReading.Unchanged());
                case CHANGED -> {
                    long since = state.version();
                    yield routines.all(connection)
                            .compose(queues -> routines.revisedPartitions(connection, since)
                                    .recover(Catalog::withoutPartitions)
                                    .map(partitions -> new CatalogReading.Changed(now, queues, partitions)));
                }
                case REVERTED -> {
                    history.contradicted("catalog version " + newestBefore + " -> " + now.version());
                    yield Future.failedFuture(new VertxException("the database history changed", true));
                }
            };
        }

        @Override
        public void settle(Refresh refresh, CatalogReading reading) {
            refreshesInFlight.remove(refresh);
            // If two refreshes are in flight, the later one may be answered first.
            if (reading instanceof CatalogReading.Changed changed && changed.now().version() >= newest) {
                newest = changed.now().version();
                apply(CatalogUpdate.of(state, byName, refresh.touched, changed), changed.queues().values());
            }
            refresh.reply.succeed(null);
        }

        @Override
        public void refuse(Refresh refresh, Failure failure) {
            refreshesInFlight.remove(refresh);
            refresh.reply.fail(failure);
        }
    }
}
