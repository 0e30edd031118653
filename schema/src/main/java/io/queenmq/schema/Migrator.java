package io.queenmq.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings one database to the state of one release. Owns the connection's transactions while it works. */
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
            -- breaking: why releases that do not know the migration cannot work on the database; null if they can.
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

    /** The first shards are made before there is the function. */
    private static final String MERGE_SHARDS = """
            do $$
            begin
                if to_regprocedure('queen.merge_shards()') is not null then
                    perform queen.merge_shards();
                end if;
            end
            $$""";

    /** Only when they are missing, since somebody may be reading them; whoever made the tables may have come no further. */
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

    /** All else queues behind a lock that is waited for; a second more than an autovacuum needs to give way. */
    private static final Duration LOCK_WAIT = Duration.ofSeconds(2);
    private static final Duration PAUSE_FIRST = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(10);
    /** How long others may be in the way, or work on the schema themselves. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    /** A change of large tables takes its time; nothing is heard of the connection meanwhile. */
    private static final Duration STEP_MAX = Duration.ofHours(1);

    private final Connection connection;
    private final Release release;
    private final OptionalInt shardsWanted;
    private final CitusUse citusUse;
    private final Duration lockWait;
    private final Patience patience;
    private final Statements statements;
    private final RoutineInstaller routines;

    Migrator(Connection connection, Release release, OptionalInt shardsWanted, CitusUse citusUse) {
        this(connection, release, shardsWanted, citusUse, LOCK_WAIT, PATIENCE);
    }

    /**
     * @param shardsWanted how many shards the database is to have; empty for as many as it has, or one
     * @param lockWait how long a step waits for a lock, and everybody else behind it
     * @param patience how long it is tried again in all
     */
    Migrator(Connection connection, Release release, OptionalInt shardsWanted, CitusUse citusUse, Duration lockWait,
            Duration patience) {
        this.connection = connection;
        this.release = release;
        this.shardsWanted = shardsWanted;
        this.citusUse = citusUse;
        this.lockWait = lockWait;
        this.patience = Patience.of(patience);
        this.statements = new Statements(connection);
        this.routines = new RoutineInstaller(connection, release.routines());
    }

    Schema.Installed install() throws SQLException {
        pinSettings();
        Citus.check(connection, citusUse);
        var before = Present.load(connection);
        if (isCurrent(before)) {
            return installed(before.shards(shardsWanted));
        }
        try (var _ = SchemaLock.acquire(connection, patience)) {
            // Whoever held the lock before us may have done all there was to do.
            var present = Present.load(connection);
            var shards = present.shards(shardsWanted);
            if (!isCurrent(present)) {
                bringUp(present, shards);
            }
            return installed(shards);
        }
    }

    /** Defaults of the database or the role, such as a statement_timeout, must not change or end what is done here. */
    private void pinSettings() throws SQLException {
        // Drivers set the encoding themselves.
        statements.execute(Schema.SESSION_DEFAULTS.entrySet().stream()
                .filter(setting -> !setting.getKey().equals("client_encoding"))
                .map(setting -> "set " + setting.getKey() + " = '" + setting.getValue() + "'; ")
                .collect(Collectors.joining())
                + "set statement_timeout = 0; set lock_timeout = 0; " + Schema.LIFT_TRANSACTION_TIMEOUT);
    }

    private Schema.Installed installed(Shards shards) throws SQLException {
        boolean isOnCitus = shards.count() > 1 && Citus.isAnyPlaced(connection);
        if (isOnCitus) {
            Citus.advise(connection);
        }
        return new Schema.Installed(release.routines().name(), shards, isOnCitus);
    }

    private boolean isCurrent(Present present) throws SQLException {
        return present.isPrepared() && present.pending(release).isEmpty() && present.usedLast(release.routines())
                && isPlaced(present.shards(shardsWanted));
    }

    private boolean isPlaced(Shards shards) throws SQLException {
        var citus = Citus.of(connection, shards, citusUse);
        return citus == null || citus.nextUnplaced() == null;
    }

    private void bringUp(Present present, Shards shards) throws SQLException {
        patiently("preparing the schema", () -> statements.execute(PREPARE));
        for (var migration : present.pending(release)) {
            if (migration.isBreaking()) {
                new LiveServers(connection).requireNone(migration, patience);
            }
            patiently("migration " + migration.name(), () -> apply(migration, shards));
        }
        boolean isPlacedAnew = place(shards);
        boolean isInUse = present.has(release.routines()) && !isPlacedAnew;
        patiently("the views over all shards", () -> statements.execute(isPlacedAnew ? MERGE_SHARDS : MERGE_FIRST));
        if (isInUse) {
            patiently("the choice of routines", routines::choose);
        } else {
            patiently("the installation of routines", () -> routines.install(present.isAheadOf(release)));
        }
        patiently("the removal of unused routines", routines::dropUnused);
    }

    /**
     * Installs the routines of this release again if any of them is missing. Migrations are left to a start.
     *
     * @return true if routines were missing
     */
    boolean restoreRoutines() throws SQLException {
        pinSettings();
        try (var _ = SchemaLock.acquire(connection, patience)) {
            var present = Present.load(connection);
            var pending = present.pending(release);
            if (!pending.isEmpty()) {
                throw new SchemaException("the database lacks migration " + pending.getFirst().name()
                        + " as well. It is not in the state in which this server found it: restart this server.");
            }
            if (present.has(release.routines())) {
                return false;
            }
            patiently("the installation of routines", routines::restore);
            return true;
        }
    }

    /** Spreads the tables over the nodes of a Citus cluster, if this is one; true when anything had to be moved. */
    private boolean place(Shards shards) throws SQLException {
        var citus = Citus.of(connection, shards, citusUse);
        if (citus == null) {
            return false;
        }
        boolean isAny = citus.nextUnplaced() != null;
        if (isAny) {
            // Citus brings what is created to all nodes, and routines were created before. Besides, it makes the views anew, whose
            // rows some of them return.
            patiently("the removal of routines", () -> statements.execute(DROP_ROUTINES));
        }
        // Tables of the catalog that a migration added; those of a shard are where their shard is.
        patiently("placing the catalog on all nodes", citus::placeCatalog);
        for (var shard = citus.nextUnplaced(); shard != null; shard = citus.nextUnplaced()) {
            var unplaced = shard;
            patiently("placing " + shard + " on a node", () -> citus.place(unplaced));
            log.info("placed {} on a node of the Citus cluster", shard);
        }
        return isAny;
    }

    private void apply(Migration migration, Shards shards) throws SQLException {
        statements.update(
                "insert into queen.migration (number, name, checksum, breaking, release) values (?, ?, ?, ?, ?)",
                migration.number(), migration.name(), migration.checksum(), migration.whyBreaking(), Release.version());
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
        // In the same transaction, so that no crash leaves the views behind the tables.
        statements.execute(MERGE_SHARDS);
    }

    /**
     * Does one step as a transaction. A lock that somebody holds is waited for a moment only, because everybody who wants
     * the same table waits behind; then the step is undone and tried again later, and between the two all others go on.
     */
    private void patiently(String step, Work work) throws SQLException {
        for (var pause = PAUSE_FIRST;; pause = longer(pause)) {
            try {
                inTransaction(work);
                return;
            } catch (SQLException e) {
                if (!isLockNotAvailable(e)) {
                    throw e;
                }
                var holders = LockHolders.describe(connection, lockWait);
                if (patience.isOver()) {
                    throw new SchemaException(step + " could not get its locks for " + patience.total().toSeconds()
                            + " s: " + holders, e);
                }
                log.warn("{} waits for a lock and is tried again in {} s: {}", step, pause.toSeconds(), holders);
            }
            patience.pause(pause);
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

    /** A connection that is broken cannot roll back either; the reader wants to know of the first failure. */
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
