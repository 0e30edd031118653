package io.queenmq.testkit;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** Defaults of a database that change results or abort statements of sessions that do not override them. */
public final class HostileDefaults {
    private static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("default_transaction_isolation", "serializable"),
            Map.entry("default_transaction_read_only", "on"), Map.entry("default_transaction_deferrable", "on"),
            Map.entry("statement_timeout", "50ms"), Map.entry("lock_timeout", "1ms"),
            Map.entry("idle_in_transaction_session_timeout", "100ms"), Map.entry("idle_session_timeout", "100ms"),
            Map.entry("transaction_timeout", "50ms"), Map.entry("synchronous_commit", "off"),
            Map.entry("search_path", "pg_temp"), Map.entry("client_encoding", "LATIN1"),
            Map.entry("TimeZone", "Asia/Kolkata"), Map.entry("DateStyle", "SQL, DMY"),
            Map.entry("IntervalStyle", "sql_standard"), Map.entry("bytea_output", "escape"),
            Map.entry("extra_float_digits", "-15"), Map.entry("standard_conforming_strings", "off"),
            Map.entry("array_nulls", "off"), Map.entry("transform_null_equals", "on"),
            Map.entry("quote_all_identifiers", "on"), Map.entry("row_security", "off"),
            Map.entry("plan_cache_mode", "force_custom_plan"), Map.entry("enable_indexscan", "off"),
            Map.entry("enable_indexonlyscan", "off"), Map.entry("enable_nestloop", "off"));

    private HostileDefaults() {}

    /** Sets the defaults that this version of PostgreSQL has. They apply to sessions that are opened later. */
    public static void set(TestDatabase database) {
        Sql.run(maintenanceDatabaseOf(database), connection -> SETTINGS.forEach((name, value) -> {
            if (isKnown(connection, name)) {
                execute(connection, database, "set " + name + " = '" + value + "'");
            }
        }));
    }

    public static void set(TestDatabase database, String name, String value) {
        Sql.run(maintenanceDatabaseOf(database),
                connection -> execute(connection, database, "set " + name + " = '" + value + "'"));
    }

    public static void reset(TestDatabase database) {
        Sql.run(maintenanceDatabaseOf(database), connection -> execute(connection, database, "reset all"));
    }

    /** Returns another database of the server, because a session of the database itself would have its defaults. */
    private static TestDatabase maintenanceDatabaseOf(TestDatabase database) {
        return new TestDatabase(database.host(), database.port(), "postgres", database.user(), database.password());
    }

    private static boolean isKnown(Connection connection, String setting) {
        try (var statement = connection.prepareStatement("select current_setting(?, true) is not null")) {
            statement.setString(1, setting);
            try (var rows = statement.executeQuery()) {
                return rows.next() && rows.getBoolean(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void execute(Connection connection, TestDatabase database, String change) {
        try (var statement = connection.createStatement()) {
            statement.execute("alter database " + database.name() + " " + change);
        } catch (SQLException e) {
            throw new IllegalStateException(change, e);
        }
    }
}
