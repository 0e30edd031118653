package io.queenmq.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Installs the tables and routines of this release in a database. */
public final class Schema {
    /**
     * The settings of sessions that call routines. Each statement of a routine reads a few rows by their keys, no matter how
     * large the tables are; a plan made while the tables were small must not scan them later.
     */
    public static final Map<String, String> SESSION_SETTINGS = Map.of("plan_cache_mode", "force_generic_plan", "jit",
            "off", "work_mem", "64MB", "enable_seqscan", "off", "enable_hashjoin", "off", "enable_mergejoin", "off",
            "enable_bitmapscan", "off", "enable_nestloop", "on", "enable_indexscan", "on", "enable_indexonlyscan",
            "on");

    /**
     * The settings of every session, in place of the defaults of its database or role. They determine the results of routines,
     * the durability of a commit, and the lifetime of a session. A session may set others after them.
     */
    public static final Map<String, String> SESSION_DEFAULTS = Map.ofEntries(
            Map.entry("default_transaction_isolation", "read committed"),
            Map.entry("default_transaction_read_only", "off"), Map.entry("default_transaction_deferrable", "off"),
            Map.entry("synchronous_commit", "on"), Map.entry("idle_in_transaction_session_timeout", "0"),
            Map.entry("idle_session_timeout", "0"), Map.entry("client_encoding", "UTF8"), Map.entry("TimeZone", "UTC"),
            Map.entry("DateStyle", "ISO, MDY"), Map.entry("IntervalStyle", "postgres"),
            Map.entry("bytea_output", "hex"), Map.entry("extra_float_digits", "1"),
            Map.entry("standard_conforming_strings", "on"), Map.entry("array_nulls", "on"),
            Map.entry("transform_null_equals", "off"), Map.entry("quote_all_identifiers", "off"),
            Map.entry("row_security", "on"));

    /** Lifts the limit on the length of transactions. Sent after a session is opened: PostgreSQL has the setting since version 17. */
    public static final String LIFT_TRANSACTION_TIMEOUT = "select set_config('transaction_timeout', '0', false)"
            + " where current_setting('transaction_timeout', true) is not null";

    /** The planner settings of {@link #SESSION_SETTINGS} that are off. */
    static final List<String> PLAN_SETTINGS = List.of("enable_bitmapscan", "enable_hashjoin", "enable_mergejoin",
            "enable_seqscan", "jit");

    private Schema() {}

    /**
     * Installs this release in the database. On a current database this takes a few queries; otherwise it acquires a lock,
     * applies the missing migrations and creates the routines. Any number of servers may call this at the same time. It waits
     * for a locked table two seconds at a time, because other sessions queue behind it, and ten minutes in total.
     *
     * @param connection in auto-commit mode, and left so; it must be a dedicated session and not one that a pooler
     *     shares between transactions. Its network timeout is raised to an hour for each change
     * @throws SchemaException if the database cannot be used, with the reason
     */
    public static Installed install(Connection connection) {
        return install(connection, OptionalInt.empty());
    }

    /**
     * Installs this release in a database with this number of shards.
     *
     * @param shards the number of shards; empty for the present number, or one for a new database. Another number than the
     *     present one is rejected
     */
    public static Installed install(Connection connection, OptionalInt shards) {
        return install(connection, shards, CitusUse.AUTO);
    }

    /**
     * Installs this release, with or without placing the shards on a Citus cluster.
     *
     * @param citus the use of the extension
     */
    public static Installed install(Connection connection, OptionalInt shards, CitusUse citus) {
        return install(connection, Release.load(), shards, citus);
    }

    static Installed install(Connection connection, Release release) {
        return install(connection, release, OptionalInt.empty(), CitusUse.AUTO);
    }

    private static Installed install(Connection connection, Release release, OptionalInt shards, CitusUse citus) {
        try {
            return new Migrator(connection, release, shards, citus).install();
        } catch (SQLException e) {
            throw new SchemaException("cannot install the schema of Queen: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the installation of this release in a database that was not opened yet. The caller must compare it with the
     * result of {@link #install} later.
     *
     * @param isOnCitus whether the shards are on the nodes of a Citus cluster
     */
    public static Installed expect(Shards shards, boolean isOnCitus) {
        return new Installed(Release.load().routines().name(), shards, isOnCitus);
    }

    /** Returns the version of this release with its commit, such as {@code 0.1.0+6afaee5a}. */
    public static String version() {
        return Release.version();
    }

    /**
     * Installs the routines of this release again if any of them is missing from a database on which it was installed
     * before. Changes no table.
     *
     * @param connection as for {@link #install(Connection)}
     * @return true if routines were missing
     * @throws SchemaException if they cannot be installed, with the reason
     */
    public static boolean restoreRoutines(Connection connection) {
        try {
            return new Migrator(connection, Release.load(), OptionalInt.empty(), CitusUse.AUTO).restoreRoutines();
        } catch (SQLException e) {
            throw new SchemaException("cannot install the routines of Queen again: " + e.getMessage(), e);
        }
    }

    /**
     * The result of an installation.
     *
     * @param api the schema whose routines this release calls
     * @param shards the shards of the database
     * @param isOnCitus whether the shards are placed on the nodes of a Citus cluster
     */
    public record Installed(String api, Shards shards, boolean isOnCitus) {
        /** Returns the settings of sessions that call routines. */
        public Map<String, String> sessionSettings() {
            if (!isOnCitus) {
                return SESSION_SETTINGS;
            }
            // Citus finds the shard of a statement by its parameters, which a generic plan does not have.
            Map<String, String> settings = new HashMap<>(SESSION_SETTINGS);
            settings.put("plan_cache_mode", "auto");
            return Map.copyOf(settings);
        }
    }
}
