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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All connections of the engine: for each shard, and for the catalog, those whose commits wait for the disk and those whose
 * commits need not. A shard that cannot be reached is nobody else's trouble. Where there is one shard, the catalog has no
 * connections of its own. Owned by the engine loop.
 */
public final class ShardConnections {
    /** Stands for the catalog where the number of a shard is expected: its sessions see the tables of all shards. */
    public static final int CATALOG = -1;

    private static final Logger log = LoggerFactory.getLogger(ShardConnections.class);

    /** Enough for every operation to have its calls in flight. */
    private static final int CONNECTIONS_OF_ONE = 6;
    /** The same load, spread over shards, keeps about twice as many busy: batches are smaller, and partitions are never spread evenly. */
    private static final int CONNECTIONS_OF_ALL = 2 * CONNECTIONS_OF_ONE;
    /** One can be slow or lost, and the shard goes on. */
    private static final int CONNECTIONS_MIN = 2;
    /** What concerns the catalog is rare, and so are transactions over several shards. */
    private static final int CONNECTIONS_OF_CATALOG = 2;
    /** Then a server starts without the shard. */
    private static final long OPEN_WITHIN_NS = 5_000_000_000L;

    /** Opens sessions. */
    public interface Opener {
        /** @param shard its number, or {@link #CATALOG} */
        Sessions sessions(int shard, Durability durability);
    }

    private final Shards shards;
    private final Timers timers;
    private final DatabaseHistory history;
    private final Pair catalog;
    private final List<Pair> pairs = new ArrayList<>();
    private final Set<Pair> all = new LinkedHashSet<>();

    /**
     * @param places where each shard, and the catalog, is at the moment; those of one place are distrusted together
     * @param connectWithin how long opening a session may take
     * @param answerWithin how long a call may take; a session that does not answer it is given up
     */
    public ShardConnections(Shards shards, Opener opener, IntFunction<Place> places, Duration connectWithin,
            Duration answerWithin, Timers timers) {
        this.shards = shards;
        this.timers = timers;
        this.history = new DatabaseHistory(timers);
        for (int shard = 0; shard < shards.count(); shard++) {
            pairs.add(pair(shard, opener, places, connectWithin, answerWithin, sizeFor(shards)));
        }
        catalog = shards.count() == 1
                ? pairs.getFirst()
                : pair(CATALOG, opener, places, connectWithin, answerWithin, CONNECTIONS_OF_CATALOG);
        all.add(catalog);
        all.addAll(pairs);
        for (Pair each : all) {
            each.flushed.onSilence(() -> distrustLike(each, each.flushed, places));
            each.relaxed.onSilence(() -> distrustLike(each, each.relaxed, places));
        }
    }

    /** How many connections there are, of both kinds and to everything, when all are up. */
    public static int sizeOfAll(Shards shards) {
        int ofShards = 2 * shards.count() * sizeFor(shards);
        return shards.count() == 1 ? ofShards : ofShards + 2 * CONNECTIONS_OF_CATALOG;
    }

    /** How many connections of each kind a shard has. */
    static int sizeFor(Shards shards) {
        return shards.count() == 1
                ? CONNECTIONS_OF_ONE
                : Math.max(CONNECTIONS_MIN, Math.ceilDiv(CONNECTIONS_OF_ALL, shards.count()));
    }

    private Pair pair(int shard, Opener opener, IntFunction<Place> places, Duration connectWithin,
            Duration answerWithin, int size) {
        return new Pair(shard,
                new ConnectionPool(opener.sessions(shard, Durability.FLUSHED), () -> places.apply(shard), history,
                        connectWithin,
                        answerWithin, size, timers),
                new ConnectionPool(opener.sessions(shard, Durability.RELAXED), () -> places.apply(shard), history,
                        connectWithin,
                        answerWithin, size, timers));
    }

    /** A connection went silent: others to the same server may be, too. */
    private void distrustLike(Pair silent, ConnectionPool known, IntFunction<Place> places) {
        Place place = places.apply(silent.shard);
        for (Pair pair : all) {
            if (places.apply(pair.shard).equals(place)) {
                pair.forEach(connections -> {
                    if (connections != known) {
                        connections.distrust();
                    }
                });
            }
        }
    }

    /** Which history the database has, as far as its connections know. */
    public DatabaseHistory history() {
        return history;
    }

    public Shards shards() {
        return shards;
    }

    /** The number of the shard that holds a partition, or the partitions of a lease. */
    public int shardOf(UUID partitionOrLeaseId) {
        return shards.of(partitionOrLeaseId);
    }

    /** The shard that holds all of these, or {@link #CATALOG} when they are in several. */
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

    /** @param shard its number, or {@link #CATALOG} */
    public ConnectionPool of(int shard, Durability durability) {
        Pair pair = shard == CATALOG ? catalog : pairs.get(shard);
        return durability == Durability.FLUSHED ? pair.flushed : pair.relaxed;
    }

    public ConnectionPool ofCatalog(Durability durability) {
        return of(CATALOG, durability);
    }

    /**
     * Whether it is worth asking the shard among others. One that cannot be reached is passed over; where it is the only one,
     * whoever asks is told so instead.
     */
    public boolean isWorthAsking(int shard) {
        return shards.count() == 1 || pairs.get(shard).isConnected();
    }

    /** The shard is at another place now: its connections are opened there, each as soon as nothing is under way on it. */
    public void moved(int shard) {
        pairs.get(shard).forEach(ConnectionPool::renew);
    }

    /** Called with the number of a shard that could not be reached, and can now. */
    public void onBack(IntConsumer listener) {
        for (Pair pair : pairs) {
            pair.forEach(connections -> connections.onBack(() -> {
                if (pair.isConnected()) {
                    listener.accept(pair.shard);
                }
            }));
        }
    }

    /** Called when routines or tables of this release are missing, see {@link ConnectionPool#onSchemaMissing}. */
    public void onSchemaMissing(UnaryOperator<String> listener) {
        all.forEach(pair -> pair.forEach(connections -> connections.onSchemaMissing(listener)));
    }

    /** Completes when the catalog and the shards are connected; a shard that is away is not waited for, if there are others. */
    public Future<Void> open() {
        List<Future<?>> opened = new ArrayList<>(List.of(catalog.open()));
        for (Pair pair : pairs) {
            if (pair != catalog) {
                opened.add(orLater(pair, pair.open()));
            }
        }
        return Future.all(opened).mapEmpty();
    }

    private Future<Void> orLater(Pair pair, Future<Void> opened) {
        Promise<Void> opening = Promise.promise();
        timers.after(OPEN_WITHIN_NS, () -> {
            if (opening.tryComplete()) {
                log.warn("{}; its partitions have to wait", pair.trouble());
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

    /** Whether there is work that can be done: the catalog can be reached, and one shard at least. */
    public boolean isConnected() {
        return catalog.isConnected() && pairs.stream().anyMatch(Pair::isConnected);
    }

    /** Why PostgreSQL cannot work though it can be reached; null when it can, or when other shards can. */
    public String complaint() {
        if (catalog.complaint() != null) {
            return catalog.complaint();
        }
        return pairs.stream().allMatch(pair -> pair.complaint() != null) ? pairs.getFirst().complaint() : null;
    }

    /** Whether commits of any shard, or of the catalog, wait for a synchronous standby. */
    public boolean isWaitingForStandby() {
        return all.stream().anyMatch(pair -> Replication.COMPLAINT.equals(pair.complaint()));
    }

    /** What is wrong with shards while others can work, in words for operators. */
    public List<String> troubles() {
        return shards.count() == 1
                ? List.of()
                : pairs.stream().filter(pair -> pair.trouble() != null).map(Pair::trouble).toList();
    }

    /** How many connections there are when all are up. */
    public int size() {
        return sum(ConnectionPool::size);
    }

    /** How many of them carry a call. */
    public int busyCount() {
        return sum(ConnectionPool::busyCount);
    }

    private int sum(ToIntFunction<ConnectionPool> part) {
        return all.stream().mapToInt(pair -> part.applyAsInt(pair.flushed) + part.applyAsInt(pair.relaxed)).sum();
    }

    /** The connections of one shard, or of the catalog. */
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

        String complaint() {
            return flushed.complaint() != null ? flushed.complaint() : relaxed.complaint();
        }

        /** Null when there is none. */
        String trouble() {
            String name = Shards.name(shard);
            return !isConnected()
                    ? "shard " + name + " cannot be reached"
                    : complaint() == null ? null : "shard " + name + " cannot work: " + complaint();
        }
    }
}
