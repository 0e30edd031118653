package io.queenmq.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates and drops routine sets. Every method must be called within a transaction, by the holder of the {@link SchemaLock}. */
final class RoutineInstaller {
    private static final Logger log = LoggerFactory.getLogger(RoutineInstaller.class);

    private static final String RECORD = """
            insert into queen.routine_set (name)
            values (?)
            on conflict (name) do update set installed_at = clock_timestamp(), used_at = clock_timestamp()""";

    /** {@code queen.push} and {@code queen.ack} call the set with the latest used_at. A restored set must not become that one. */
    private static final String RECORD_RESTORED = """
            insert into queen.routine_set (name, used_at)
            values (?, '-infinity')
            on conflict (name) do update set installed_at = clock_timestamp()""";

    private static final String CHOOSE = "update queen.routine_set set used_at = clock_timestamp() where name = ?";

    /** Sets that servers have used within a day; '' stands for the unknown set of a server that does not record it. */
    private static final String USED = """
            select array(
                select distinct coalesce(s.routine_set, '')
                from queen.server s
                where s.seen_at >= clock_timestamp() - interval '1 day')""";

    private static final String OLD = """
            select r.name
            from queen.routine_set r
            where greatest(r.installed_at, r.used_at) < clock_timestamp() - interval '1 day'
            order by r.name""";

    private static final String COLUMNS_WOULD_BE_LOST = "42P16";

    private final Connection connection;
    private final Statements statements;
    private final RoutineSet routines;

    RoutineInstaller(Connection connection, RoutineSet routines) {
        this.connection = connection;
        this.statements = new Statements(connection);
        this.routines = routines;
    }

    /**
     * Creates the routines of this release, and makes {@code queen.push} and {@code queen.ack} call them.
     *
     * @param isNewerInstalled true if a newer release has created the views, which are then not replaced
     */
    void install(boolean isNewerInstalled) throws SQLException {
        statements.update(RECORD, routines.name());
        create();
        if (!isNewerInstalled) {
            replaceViews();
        }
        log.info("installed routines {}", routines.name());
    }

    /** Creates the routines of this release again, and changes nothing else. */
    void restore() throws SQLException {
        statements.update(RECORD_RESTORED, routines.name());
        create();
        log.info("installed routines {} again", routines.name());
    }

    /** Makes {@code queen.push} and {@code queen.ack} call the routines of this release. */
    void choose() throws SQLException {
        statements.update(CHOOSE, routines.name());
    }

    /**
     * Drops the routine sets that no server has used for a day. Servers of earlier releases do not report their set:
     * while one of them reports, any set may be in use, and all are kept.
     */
    void dropUnused() throws SQLException {
        var used = used();
        for (var name : old()) {
            if (!name.equals(routines.name()) && !used.contains(name) && !used.contains("")) {
                statements.execute("drop schema if exists " + name + " cascade");
                statements.update("delete from queen.routine_set where name = ?", name);
                log.info("dropped routines {}, which no server has used for a day", name);
            }
        }
    }

    private List<String> used() throws SQLException {
        try (var statement = connection.createStatement(); var rows = statement.executeQuery(USED)) {
            rows.next();
            return List.of((String[]) rows.getArray(1).getArray());
        }
    }

    private List<String> old() throws SQLException {
        var names = new ArrayList<String>();
        try (var statement = connection.createStatement(); var rows = statement.executeQuery(OLD)) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    private void create() throws SQLException {
        // Part of the set may exist, if the rest was dropped manually.
        statements.execute("drop schema if exists " + routines.name() + " cascade");
        statements.execute("create schema " + routines.name());
        // Routines name tables of shards without a schema. PostgreSQL checks them with the views over all shards.
        statements.execute("set local search_path = " + Shards.ALL);
        for (var statement : routines.statements()) {
            statements.execute(statement);
        }
    }

    /**
     * Replaces the views that all releases share. Releases only append columns to a view. PostgreSQL rejects a
     * view with fewer columns than before; then a newer release created it, and it is not replaced.
     */
    private void replaceViews() throws SQLException {
        for (var view : routines.views()) {
            var before = connection.setSavepoint();
            try {
                statements.execute(view);
            } catch (SQLException e) {
                if (!COLUMNS_WOULD_BE_LOST.equals(e.getSQLState())) {
                    throw e;
                }
                connection.rollback(before);
                log.info("view of a newer release kept: {}", e.getMessage());
            }
        }
    }
}
