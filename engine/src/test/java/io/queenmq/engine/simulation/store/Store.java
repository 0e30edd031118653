package io.queenmq.engine.simulation.store;

import io.queenmq.schema.Shards;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An in-memory database that implements the contracts of Queen's routines. The entry point of this package. Owned by one thread.
 *
 * <p>The engine uses {@link #call}. Other clients of the same database are simulated with {@link #locks}, {@link
 * #operators} and {@link #ownTransaction}. Checks read the actual state from {@link #content}.
 */
public final class Store {
    private final Database database;
    private final Lost lost = new Lost();
    private final Pushing pushing;
    private final Cataloguing catalog;
    private final Operators operators;
    private final Upkeep upkeep;
    private final ShardGuard guard;
    private final Map<String, Routine> routines = new HashMap<>();
    private final Map<String, Statement> statements = new HashMap<>();

    /** @param nowMicros the clock of the database: microseconds since 1970 */
    public Store(Shards shards, LongSupplier nowMicros) {
        this(shards, nowMicros, ids());
    }

    /** @param newIds supplies the ids of new queues */
    Store(Shards shards, LongSupplier nowMicros, Supplier<UUID> newIds) {
        database = new Database(shards, nowMicros, newIds);
        guard = new ShardGuard(shards);
        catalog = new Cataloguing(database);
        Progress progress = new Progress(database);
        pushing = new Pushing(database);
        Acking acking = new Acking(database, progress);
        Returning returning = new Returning(database, progress);
        Reading reading = new Reading(database);
        Evicting evicting = new Evicting(database, progress);
        operators = new Operators(database, progress);
        upkeep = new Upkeep(database, progress, returning);

        routines.put("push", pushing::push);
        routines.put("push_bounded", pushing::pushBounded);
        routines.put("catch_up", pushing::catchUp);
        routines.put("lease", new Leasing(database, reading, evicting)::lease);
        routines.put("expire", returning::expire);
        routines.put("release", returning::release);
        routines.put("renew", returning::renew);
        routines.put("ack", acking::ack);
        routines.put("nack", acking::nack);
        routines.put("load_leases", acking::held);
        routines.put("transact", new Transacting(database, pushing, acking)::transact);
        routines.put("fetch", reading::fetch);
        Accepting accepting = new Accepting(database);
        routines.put("acceptances", accepting::acceptances);
        routines.put("find_hashes", accepting::findHashes);
        routines.put("resolve", reading::resolve);
        routines.put("has_pending", reading::hasPending);
        routines.put("open_cursors", reading::openCursors);
        routines.put("subscribe", reading::subscribe);
        routines.put("evict", evicting::evict);
        routines.put("create_queues", catalog::createQueues);
        routines.put("configure", catalog::configure);
        routines.put("delete_queue", catalog::deleteQueue);
        routines.put("await_pushes", _ -> Answer.of(true));
        routines.put("report_numbers", database.reports::report);
        routines.put("report_presence", acking::reportPresence);
        routines.put("touch_partitions", _ -> Answer.of(true));
    }

    /** Generates the same ids in every run, so that a seed can be replayed. */
    private static Supplier<UUID> ids() {
        SplittableRandom random = new SplittableRandom(1);
        return () -> new UUID(random.nextLong() & ~0xf000L | 0x4000L, random.nextLong() >>> 2 | 1L << 63);
    }

    /**
     * Executes one statement, as a whole or not at all.
     *
     * @param shard the shard of the session, or the catalog
     * @throws PgException with the error of PostgreSQL; in particular 55P03 if it would wait for a locked row
     */
    public RowSet<Row> call(int shard, String sql, Tuple arguments) {
        Statement statement = statements.computeIfAbsent(sql, Statement::of);
        if (statement.callsRoutine()) {
            Routine routine = routines.get(statement.routine());
            if (routine == null) {
                throw new IllegalArgumentException("the store does not know the routine " + statement.routine());
            }
            Arguments named = new Arguments(Signature.of(statement.routine()).parameters(), arguments);
            guard.check(statement.routine(), named, shard);
            database.enter(database.shards().count() == 1 ? 0 : shard);
            return routine.call(named).select(statement.columns());
        }
        return (switch (statement.routine()) {
            case Statement.CATALOG_STATE -> catalog.state();
            case Statement.QUEUES -> catalog.queues();
            case Statement.REVISED_PARTITIONS -> catalog.revisedPartitions(arguments);
            case Statement.SESSIONS -> Answer.of(true);
            default -> throw new IllegalStateException(statement.toString());
        }).select(statement.columns());
    }

    /** Returns the shards whose tables a statement of a catalog session reads or writes. */
    public Set<Integer> shardsOf(String sql, Tuple arguments) {
        Statement statement = statements.computeIfAbsent(sql, Statement::of);
        if (statement.routine().equals(Statement.REVISED_PARTITIONS)) {
            return IntStream.range(0, database.shards().count()).boxed().collect(Collectors.toSet());
        }
        return statement.routine().equals("transact")
                ? guard.shardsOf(new Arguments(Signature.of("transact").parameters(), arguments))
                : Set.of();
    }

    /** Returns a copy of the current state. */
    public Backup backup() {
        Database copy = database.another();
        copy.copyFrom(database);
        return new Backup(copy);
    }

    /** Reverts to an earlier state, like a lagging standby or a restored backup. Later changes are lost. */
    public void revertTo(Backup backup) {
        lost.add(database, backup.database());
        database.copyFrom(backup.database());
    }

    /** Returns the number of the last report of a server; 0 if there is none. */
    public long reportOf(UUID server) {
        return database.reports.of(server);
    }

    /** Returns the operations of operators. */
    public Operators operators() {
        return operators;
    }

    /** Returns the operations of upkeep, one partition at a time. */
    public Upkeep upkeep() {
        return upkeep;
    }

    /** Returns the locks of other open transactions. */
    public Locks locks() {
        return database.locks;
    }

    /** Begins a transaction of an application, which is open until it is committed or rolled back. */
    public OwnTransaction ownTransaction() {
        return new OwnTransaction(database);
    }

    /** Returns the actual state, for checks. */
    public StoredContent content() {
        return new StoredContent(database, lost);
    }

    /** Returns the number of transactionIds that servers have loaded into their duplicate windows. */
    public long loadedHashes() {
        return pushing.loadedHashes();
    }

    Database database() {
        return database;
    }
}
