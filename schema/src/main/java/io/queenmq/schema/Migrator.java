package io.queenmq.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Upgrades a database to a release. Owns the transactions of the connection meanwhile. */
final class Migrator {
    private static final Logger log = LoggerFactory.getLogger(Migrator.class);

    private static final String PREPARE = """
            create schema if not exists queen;
            create table if not exists queen.migration (
                number      int         primary key,
                name        text        not null,
                checksum    text        not null,
                applied_at  timestamptz not null default clock_timestamp()
            );
            -- breaking: why older releases cannot use the database after the migration; null if they can.
            -- release:  the release that applied the migration.
            do $$
            begin
                if not exists (
                    select from pg_attribute a
                    where a.attrelid = 'queen.migration'::regclass and a.attname = 'release' and not a.attisdropped)
                then
                    alter table queen.migration add column breaking text, add column release text;
                end if;
            end
            $$;
            create table if not exists queen.routine_set (
                name            text        primary key,
                installed_at    timestamptz not null default clock_timestamp(),
                used_at         timestamptz not null default clock_timestamp()
            );""";

    /** The first shards are created before the function exists. */
    private static final String MERGE_SHARDS = """
            do $$
            begin
                if to_regprocedure('queen.merge_shards()') is not null then
                    perform queen.merge_shards();
                end if;
            end
            $$""";

    /** Creates missing views only, since other sessions may be reading them. A crash may have happened before their creation. */
    private static final String MERGE_FIRST = """
            do $$
            begin
                if exists (
                    select from pg_class t
                    where t.relnamespace = to_regnamespace('queen_00')
                      and t.relkind = 'r'
                      and to_regclass(format('queen.%I', t.relname)) is null)
                then
                    perform queen.merge_shards();
                end if;
            end
            $$""";

    private static final String DROP_ROUTINES = """
            do $$
            declare
                name text;
            begin
                for name in select r.name from queen.routine_set r where to_regnamespace(r.name) is not null loop
                    execute format('drop schema %I cascade', name);
                end loop;
            end
            $$""";

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /** Other sessions queue behind a lock request. One second longer than an autovacuum needs to release its lock. */
    private static final Duration LOCK_WAIT = Duration.ofSeconds(2);
    private static final Duration PAUSE_FIRST = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(10);
    /** The maximum time for which other sessions may block, or change the schema themselves. */
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    /** A change of large tables takes long, and the connection is silent meanwhile. */
    private static final Duration STEP_MAX = Duration.ofHours(1);

    private final Connection connection;
    private final Release release;
    private final OptionalInt shardsRequested;
    private final CitusUse citusUse;
    private final Duration lockWait;
    private final Deadline deadline;
    private final Statements statements;
    private final RoutineInstaller routines;

    Migrator(Connection connection, Release release, OptionalInt shardsRequested, CitusUse citusUse) {
        this(connection, release, shardsRequested, citusUse, LOCK_WAIT, TIMEOUT);
    }

    /**
     * @param shardsRequested the number of shards; empty for the present number, or one for a new database
     * @param lockWait the maximum wait of a step for a lock; other sessions queue behind it
     * @param timeout the maximum time for all attempts
     */
    Migrator(Connection connection, Release release, OptionalInt shardsRequested, CitusUse citusUse, Duration lockWait,
            Duration timeout) {
        this.connection = connection;
        this.release = release;
        this.shardsRequested = shardsRequested;
        this.citusUse = citusUse;
        this.lockWait = lockWait;
        this.deadline = Deadline.of(timeout);
        this.statements = new Statements(connection);
        this.routines = new RoutineInstaller(connection, release.routines());
    }

    Schema.Installed install() throws SQLException {
        pinSettings();
        Citus.check(connection, citusUse);
        var before = DatabaseState.load(connection);
        if (isCurrent(before)) {
            return installed(before.shards(shardsRequested));
        }
        try (var _ = SchemaLock.acquire(connection, deadline)) {
            // The previous holder of the lock may have done all changes.
            var present = DatabaseState.load(connection);
            var shards = present.shards(shardsRequested);
            if (!isCurrent(present)) {
                upgrade(present, shards);
            }
            return installed(shards);
        }
    }

    /** Defaults of the database or the role, such as a statement_timeout, must not affect the installation. */
    private void pinSettings() throws SQLException {
        // Drivers set the encoding themselves.
        statements.execute(Schema.SESSION_DEFAULTS.entrySet().stream()
                .filter(setting -> !setting.getKey().equals("client_encoding"))
                .map(setting -> "set " + setting.getKey() + " = '" + setting.getValue() + "'; ")
                .collect(Collectors.joining()) + "set statement_timeout = 0; set lock_timeout = 0; "
                + Schema.LIFT_TRANSACTION_TIMEOUT);
    }

    private Schema.Installed installed(Shards shards) throws SQLException {
        boolean isOnCitus = shards.count() > 1 && Citus.isAnyPlaced(connection);
        if (isOnCitus) {
            Citus.advise(connection);
        }
        return new Schema.Installed(release.routines().name(), shards, isOnCitus);
    }

    private boolean isCurrent(DatabaseState present) throws SQLException {
        return present.isPrepared() && present.pending(release).isEmpty() && present.isLastUsed(release.routines())
                && isPlaced(present.shards(shardsRequested));
    }

    private boolean isPlaced(Shards shards) throws SQLException {
        var citus = Citus.of(connection, shards, citusUse);
        return citus == null || citus.nextUnplaced() == null;
    }

    private void upgrade(DatabaseState present, Shards shards) throws SQLException {
        withRetries("preparation of the schema", () -> statements.execute(PREPARE));
        for (var migration : present.pending(release)) {
            if (migration.isBreaking()) {
                new LiveServers(connection).requireNone(migration, deadline);
            }
            withRetries("migration " + migration.name(), () -> apply(migration, shards));
        }
        boolean isPlacedAnew = place(shards);
        boolean isInUse = present.has(release.routines()) && !isPlacedAnew;
        withRetries("creation of the views over all shards",
                () -> statements.execute(isPlacedAnew ? MERGE_SHARDS : MERGE_FIRST));
        if (isInUse) {
            withRetries("selection of the routines", routines::choose);
        } else {
            withRetries("installation of the routines", () -> routines.install(present.isAheadOf(release)));
        }
        withRetries("removal of unused routines", routines::dropUnused);
    }

    /**
     * Installs the routines of this release again if any of them is missing. Applies no migrations.
     *
     * @return true if routines were missing
     */
    boolean restoreRoutines() throws SQLException {
        pinSettings();
        try (var _ = SchemaLock.acquire(connection, deadline)) {
            var present = DatabaseState.load(connection);
            var pending = present.pending(release);
            if (!pending.isEmpty()) {
                throw new SchemaException("the database also lacks migration " + pending.getFirst().name()
                        + ", so it has changed since this server started; restart this server");
            }
            if (present.has(release.routines())) {
                return false;
            }
            withRetries("installation of the routines", routines::restore);
            return true;
        }
    }

    /** Places the tables on the nodes of a Citus cluster, if this is one. Returns true if any shard was placed. */
    private boolean place(Shards shards) throws SQLException {
        var citus = Citus.of(connection, shards, citusUse);
        if (citus == null) {
            return false;
        }
        boolean isAny = citus.nextUnplaced() != null;
        if (isAny) {
            // Citus creates new objects on all nodes, but these routines are older. It also recreates the views, whose row types
            // some routines return.
            withRetries("removal of the routines", () -> statements.execute(DROP_ROUTINES));
        }
        // Includes new tables of the catalog. New tables of a shard are on the node of the shard already.
        withRetries("placement of the catalog on all nodes", citus::placeCatalog);
        for (var shard = citus.nextUnplaced(); shard != null; shard = citus.nextUnplaced()) {
            var unplaced = shard;
            withRetries("placement of " + shard + " on a node", () -> citus.place(unplaced));
            log.info("placed {} on a node of the Citus cluster", shard);
        }
        return isAny;
    }

    private void apply(Migration migration, Shards shards) throws SQLException {
        statements.update(
                "insert into queen.migration (number, name, checksum, breaking, release) values (?, ?, ?, ?, ?)",
                migration.number(), migration.name(), migration.checksum(), migration.breakingReason(),
                Release.version());
        try {
            if (migration.isForShards()) {
                applyToShards(migration, shards);
            } else {
                statements.execute(migration.sql());
            }
        } catch (SQLException e) {
            if (isLockNotAvailable(e)) {
                throw e;
            }
            throw new SchemaException("migration " + migration.name() + " failed: " + e.getMessage(), e);
        }
        log.info("applied migration {}", migration.name());
    }

    private void applyToShards(Migration migration, Shards shards) throws SQLException {
        for (int number = 0; number < shards.count(); number++) {
            var name = Shards.name(number);
            statements.execute("create schema if not exists " + name);
            Citus.dropLocalViews(connection, name);
            statements.update("insert into queen.shard (number, name) values (?, ?) on conflict do nothing", number,
                    name);
            statements.execute(migration.sqlFor(name));
        }
        // In the same transaction, so that views and tables match after a crash.
        statements.execute(MERGE_SHARDS);
    }

    /**
     * Executes a step in a transaction. It waits for a lock only for a moment, because other sessions queue behind the
     * request. Then the step is rolled back and retried later, and the other sessions continue meanwhile.
     */
    private void withRetries(String step, Work work) throws SQLException {
        for (var pause = PAUSE_FIRST;; pause = longer(pause)) {
            try {
                inTransaction(work);
                return;
            } catch (SQLException e) {
                if (!isLockNotAvailable(e)) {
                    throw e;
                }
                var holders = LockHolders.describe(connection, lockWait);
                if (deadline.isOver()) {
                    throw new SchemaException(step + " could not acquire its locks within "
                            + deadline.total().toSeconds() + " s: " + holders, e);
                }
                log.warn("{} is waiting for a lock, retrying in {} s: {}", step, pause.toSeconds(), holders);
            }
            deadline.pause(pause);
        }
    }

    private static Duration longer(Duration pause) {
        var twice = pause.multipliedBy(2);
        return twice.compareTo(PAUSE_MAX) < 0 ? twice : PAUSE_MAX;
    }

    private static boolean isLockNotAvailable(SQLException e) {
        return LOCK_NOT_AVAILABLE.equals(e.getSQLState());
    }

    private void inTransaction(Work work) throws SQLException {
        int networkTimeoutMs = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, (int) STEP_MAX.toMillis());
        connection.setAutoCommit(false);
        try {
            statements.execute("set local lock_timeout = " + lockWait.toMillis()
                    + "; set local search_path = pg_catalog, pg_temp");
            work.run();
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            rollBack(e);
            throw e;
        }
        connection.setAutoCommit(true);
        connection.setNetworkTimeout(Runnable::run, networkTimeoutMs);
    }

    /** A failure of the rollback is added to the first failure, which is the cause. */
    private void rollBack(Exception cause) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    private interface Work {
        void run() throws SQLException;
    }
}
