package io.queenmq.engine.connection;

import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.time.Timers;
import io.queenmq.schema.Shards;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All connection pools of the engine: one with flushed and one with relaxed commits for each shard and for the catalog. An
 * unreachable shard does not affect the others. If there is one shard, the catalog uses its pools. Owned by the engine loop.
 */
public final class ShardConnections {
    /** The catalog as a shard number. Its sessions can access the tables of all shards. */
    public static final int CATALOG = -1;

    private static final Logger log = LoggerFactory.getLogger(ShardConnections.class);

    /** Enough for every operation to have its calls in flight. */
    private static final int CONNECTIONS_OF_ONE = 6;
    /**
     * The same load over several shards needs about twice as many, because batches are smaller and partitions are not spread
     * evenly.
     */
    private static final int CONNECTIONS_OF_ALL = 2 * CONNECTIONS_OF_ONE;
    /** The shard stays usable while one connection is slow or lost. */
    private static final int CONNECTIONS_MIN = 2;
    /** Calls to the catalog and transactions over several shards are rare. */
    private static final int CONNECTIONS_OF_CATALOG = 2;
    /** After this time a server starts without the shard. */
    private static final long OPEN_WITHIN_NS = 5_000_000_000L;

    /** Opens sessions. */
    public interface Opener {
        /** @param shard the number of the shard, or {@link #CATALOG} */
        Sessions sessions(int shard, Durability durability);
    }

    private final Shards shards;
    private final Timers timers;
    private final DatabaseHistory history;
    private final Pair catalog;
    private final List<Pair> pairs = new ArrayList<>();
    private final Set<Pair> all = new LinkedHashSet<>();

    /**
     * @param places returns the current address of a shard or the catalog; connections to one address are checked together
     * @param connectTimeout the maximum time to open a session
     * @param callTimeout the maximum time of a call; the session is ended after it
     */
    public ShardConnections(Shards shards, Opener opener, IntFunction<Place> places, Duration connectTimeout,
            Duration callTimeout, Timers timers) {
        this.shards = shards;
        this.timers = timers;
        this.history = new DatabaseHistory(timers);
        for (int shard = 0; shard < shards.count(); shard++) {
            pairs.add(pair(shard, opener, places, connectTimeout, callTimeout, sizeFor(shards)));
        }
        catalog = shards.count() == 1
                ? pairs.getFirst()
                : pair(CATALOG, opener, places, connectTimeout, callTimeout, CONNECTIONS_OF_CATALOG);
        all.add(catalog);
        all.addAll(pairs);
        for (Pair each : all) {
            each.flushed.onSilence(() -> dropSilentAtPlaceOf(each, each.flushed, places));
            each.relaxed.onSilence(() -> dropSilentAtPlaceOf(each, each.relaxed, places));
        }
    }

    /** Returns the number of connections of all pools when all are open. */
    public static int sizeOfAll(Shards shards) {
        int ofShards = 2 * shards.count() * sizeFor(shards);
        return shards.count() == 1 ? ofShards : ofShards + 2 * CONNECTIONS_OF_CATALOG;
    }

    /** Returns the number of connections of each pool of a shard. */
    static int sizeFor(Shards shards) {
        return shards.count() == 1
                ? CONNECTIONS_OF_ONE
                : Math.max(CONNECTIONS_MIN, Math.ceilDiv(CONNECTIONS_OF_ALL, shards.count()));
    }

    private Pair pair(int shard, Opener opener, IntFunction<Place> places, Duration connectTimeout,
            Duration callTimeout, int size) {
        return new Pair(shard,
                new ConnectionPool(opener.sessions(shard, Durability.FLUSHED), () -> places.apply(shard), history,
                        connectTimeout, callTimeout, size, timers),
                new ConnectionPool(opener.sessions(shard, Durability.RELAXED), () -> places.apply(shard), history,
                        connectTimeout, callTimeout, size, timers));
    }

    /** A connection became silent: the other pools with the same address drop or check theirs. */
    private void dropSilentAtPlaceOf(Pair silent, ConnectionPool known, IntFunction<Place> places) {
        Place place = places.apply(silent.shard);
        for (Pair pair : all) {
            if (places.apply(pair.shard).equals(place)) {
                pair.forEach(connections -> {
                    if (connections != known) {
                        connections.dropSilent();
                    }
                });
            }
        }
    }

    /** Returns the history of the database, by the identities of its sessions. */
    public DatabaseHistory history() {
        return history;
    }

    public Shards shards() {
        return shards;
    }

    /** Returns the number of the shard of a partition, or of the partitions of a lease. */
    public int shardOf(UUID partitionOrLeaseId) {
        return shards.of(partitionOrLeaseId);
    }

    /** Returns the number of the shard of all these ids; {@link #CATALOG} if they are in several. */
    public int shardOf(Iterable<UUID> partitionOrLeaseIds) {
        int common = CATALOG;
        for (UUID id : partitionOrLeaseIds) {
            int shard = shardOf(id);
            if (common != CATALOG && shard != common) {
                return CATALOG;
            }
            common = shard;
        }
        return common;
    }

    /** @param shard the number of the shard, or {@link #CATALOG} */
    public ConnectionPool of(int shard, Durability durability) {
        Pair pair = shard == CATALOG ? catalog : pairs.get(shard);
        return durability == Durability.FLUSHED ? pair.flushed : pair.relaxed;
    }

    public ConnectionPool ofCatalog(Durability durability) {
        return of(CATALOG, durability);
    }

    /**
     * Returns false if calls should skip the shard, because it cannot be reached and there are others. Calls to the only shard
     * are never skipped: they fail with the reason.
     */
    public boolean isShardAvailable(int shard) {
        return shards.count() == 1 || pairs.get(shard).isConnected();
    }

    /** The address of the shard changed: replaces its connections, each when no call is in flight on it. */
    public void reconnect(int shard) {
        pairs.get(shard).forEach(ConnectionPool::replaceAll);
    }

    /** Sets the listener that is called with the number of a shard when it is reachable again. */
    public void onReconnect(IntConsumer listener) {
        for (Pair pair : pairs) {
            pair.forEach(connections -> connections.onReconnect(() -> {
                if (pair.isConnected()) {
                    listener.accept(pair.shard);
                }
            }));
        }
    }

    /** Sets the listener for missing routines and tables of this release, see {@link ConnectionPool#onSchemaMissing}. */
    public void onSchemaMissing(UnaryOperator<String> listener) {
        all.forEach(pair -> pair.forEach(connections -> connections.onSchemaMissing(listener)));
    }

    /**
     * Opens all connections. Completes when the catalog and the shards are connected, without unreachable shards if there are
     * others.
     */
    public Future<Void> open() {
        List<Future<?>> opened = new ArrayList<>(List.of(catalog.open()));
        for (Pair pair : pairs) {
            if (pair != catalog) {
                opened.add(withTimeout(pair, pair.open()));
            }
        }
        return Future.all(opened).mapEmpty();
    }

    private Future<Void> withTimeout(Pair pair, Future<Void> opened) {
        Promise<Void> opening = Promise.promise();
        timers.after(OPEN_WITHIN_NS, () -> {
            if (opening.tryComplete()) {
                log.warn("starting without a shard, requests for its partitions wait: {}", pair.problem());
            }
        });
        opened.onComplete(done -> {
            if (done.succeeded()) {
                opening.tryComplete();
            } else {
                opening.tryFail(done.cause());
            }
        });
        return opening.future();
    }

    public Future<Void> close() {
        List<Future<?>> closed = new ArrayList<>();
        all.forEach(pair -> pair.forEach(connections -> closed.add(connections.close())));
        return Future.join(closed).mapEmpty();
    }

    /** Returns true if the catalog and at least one shard can be reached. */
    public boolean isConnected() {
        return catalog.isConnected() && pairs.stream().anyMatch(Pair::isConnected);
    }

    /**
     * Returns why PostgreSQL is unavailable although it can be reached; null if the catalog and at least one shard are available.
     */
    public @Nullable String unavailableReason() {
        if (catalog.unavailableReason() != null) {
            return catalog.unavailableReason();
        }
        return pairs.stream().allMatch(pair -> pair.unavailableReason() != null)
                ? pairs.getFirst().unavailableReason()
                : null;
    }

    /** Returns true if commits of a shard or of the catalog wait for a synchronous standby. */
    public boolean isWaitingForStandby() {
        return all.stream().anyMatch(pair -> Replication.WAITING_FOR_STANDBY.equals(pair.unavailableReason()));
    }

    /** Returns the problems of single shards, for operators; empty if there is only one shard. */
    public List<String> problems() {
        return shards.count() == 1
                ? List.of()
                : pairs.stream().filter(pair -> pair.problem() != null).map(Pair::problem).toList();
    }

    /** Returns the number of connections when all are open. */
    public int size() {
        return sum(ConnectionPool::size);
    }

    /** Returns the number of connections with a call in flight. */
    public int busyCount() {
        return sum(ConnectionPool::busyCount);
    }

    private int sum(ToIntFunction<ConnectionPool> part) {
        return all.stream().mapToInt(pair -> part.applyAsInt(pair.flushed) + part.applyAsInt(pair.relaxed)).sum();
    }

    /** The connection pools of one shard, or of the catalog. */
    private record Pair(int shard, ConnectionPool flushed, ConnectionPool relaxed) {
        Future<Void> open() {
            return Future.all(flushed.open(), relaxed.open()).mapEmpty();
        }

        void forEach(Consumer<ConnectionPool> action) {
            action.accept(flushed);
            action.accept(relaxed);
        }

        boolean isConnected() {
            return flushed.isConnected() && relaxed.isConnected();
        }

        @Nullable
        String unavailableReason() {
            return flushed.unavailableReason() != null ? flushed.unavailableReason() : relaxed.unavailableReason();
        }

        /** Returns the problem for operators; null if there is none. */
        @Nullable
        String problem() {
            String name = Shards.name(shard);
            return !isConnected()
                    ? "shard " + name + " cannot be reached"
                    : unavailableReason() == null ? null : "shard " + name + " cannot work: " + unavailableReason();
        }
    }
}
