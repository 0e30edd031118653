package io.queenmq.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
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
            create table if not exists queen.routine_set (
                name            text        primary key,
                installed_at    timestamptz not null default clock_timestamp(),
                used_at         timestamptz not null default clock_timestamp()
            );""";

    private final Connection connection;
    private final Release release;

    Migrator(Connection connection, Release release) {
        this.connection = connection;
        this.release = release;
    }

    void install() throws SQLException {
        if (isCurrent(Present.load(connection))) {
            return;
        }
        try (var _ = SchemaLock.acquire(connection)) {
            // Whoever held the lock before us may have done all there was to do.
            var present = Present.load(connection);
            if (!isCurrent(present)) {
                bringUp(present);
            }
        }
    }

    private boolean isCurrent(Present present) {
        return present.isPrepared() && present.pending(release).isEmpty() && present.usedLast(release.routines());
    }

    private void bringUp(Present present) throws SQLException {
        if (!present.isPrepared()) {
            inTransaction(() -> execute(PREPARE));
        }
        for (var migration : present.pending(release)) {
            inTransaction(() -> apply(migration));
        }
        if (present.has(release.routines())) {
            inTransaction(this::useAgain);
        } else {
            inTransaction(() -> replaceRoutines(present.obsolete(release.routines())));
        }
    }

    private void apply(Migration migration) throws SQLException {
        update("insert into queen.migration (number, name, checksum) values (?, ?, ?)",
                migration.number(), migration.name(), migration.checksum());
        try {
            execute(migration.sql());
        } catch (SQLException e) {
            throw new SchemaException("migration " + migration.name() + " failed: " + e.getMessage(), e);
        }
        log.info("applied migration {}", migration.name());
    }

    /** A release that comes back after another one was in use. */
    private void useAgain() throws SQLException {
        update("update queen.routine_set set used_at = clock_timestamp() where name = ?", release.routines().name());
    }

    private void replaceRoutines(List<String> obsolete) throws SQLException {
        var routines = release.routines();
        // The row may be there without its schema, if someone dropped that by hand.
        update("""
                insert into queen.routine_set (name)
                values (?)
                on conflict (name) do update set installed_at = clock_timestamp(), used_at = clock_timestamp()""",
                routines.name());
        execute("create schema " + routines.name());
        for (var statement : routines.statements()) {
            execute(statement);
        }
        for (var name : obsolete) {
            execute("drop schema " + name + " cascade");
            update("delete from queen.routine_set where name = ?", name);
        }
        log.info("installed routines {}, dropped {}", routines.name(), obsolete);
    }

    private void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        }
    }

    private void update(String sql, Object... values) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }

    private void inTransaction(Work work) throws SQLException {
        connection.setAutoCommit(false);
        try {
            work.run();
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            rollBack(e);
            throw e;
        }
        connection.setAutoCommit(true);
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
