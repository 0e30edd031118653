package io.queenmq.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The door to this module: puts the tables and routines of this release into a database. */
public final class Schema {
    /**
     * What a session sets before it calls routines. Each statement in them takes a few rows by their keys, however large
     * the tables are; a plan made while the tables were small must not be one that reads them from end to end later.
     */
    public static final Map<String, String> SESSION_SETTINGS = Map.of(
            "plan_cache_mode", "force_generic_plan",
            "jit", "off",
            "work_mem", "64MB",
            "enable_seqscan", "off",
            "enable_hashjoin", "off",
            "enable_mergejoin", "off",
            "enable_bitmapscan", "off",
            "enable_nestloop", "on",
            "enable_indexscan", "on",
            "enable_indexonlyscan", "on");

    /**
     * The settings of every session, whatever its database or role has as default. They decide what routines do and return,
     * what a commit promises, and how long a session lives. A session may set others after them.
     */
    public static final Map<String, String> SESSION_DEFAULTS = Map.ofEntries(
            Map.entry("default_transaction_isolation", "read committed"),
            Map.entry("default_transaction_read_only", "off"),
            Map.entry("default_transaction_deferrable", "off"),
            Map.entry("synchronous_commit", "on"),
            Map.entry("idle_in_transaction_session_timeout", "0"),
            Map.entry("idle_session_timeout", "0"),
            Map.entry("client_encoding", "UTF8"),
            Map.entry("TimeZone", "UTC"),
            Map.entry("DateStyle", "ISO, MDY"),
            Map.entry("IntervalStyle", "postgres"),
            Map.entry("bytea_output", "hex"),
            Map.entry("extra_float_digits", "1"),
            Map.entry("standard_conforming_strings", "on"),
            Map.entry("array_nulls", "on"),
            Map.entry("transform_null_equals", "off"),
            Map.entry("quote_all_identifiers", "off"),
            Map.entry("row_security", "on"));

    /** Lifts the limit on the length of transactions. Sent after a session is opened: PostgreSQL has the setting since version 17. */
    public static final String LIFT_TRANSACTION_TIMEOUT = "select set_config('transaction_timeout', '0', false)"
            + " where current_setting('transaction_timeout', true) is not null";

    /** Those of {@link #SESSION_SETTINGS} that decide how rows are found. All of them are off. */
    static final List<String> PLAN_SETTINGS = List.of("enable_bitmapscan", "enable_hashjoin", "enable_mergejoin",
            "enable_seqscan", "jit");

    private Schema() {}

    /**
     * Makes the database ready for this release. On one that is ready this is two queries; otherwise it takes a lock,
     * applies the missing migrations and creates the routines, and any number of servers may try that at once. A table
     * that somebody holds is waited for two seconds at a time, because everybody else waits behind, and ten minutes in all.
     *
     * @param connection in auto-commit mode, and left so; it must be a session of its own and not one that a pooler
     *     shares between transactions. Its network timeout is lifted to an hour for each change
     * @throws SchemaException when the database cannot be used, and why
     */
    public static Installed install(Connection connection) {
        return install(connection, OptionalInt.empty());
    }

    /**
     * The same for a database that is to have so many shards.
     *
     * @param shards how many; when it is empty, as many as the database was made with, or one. Another number than the
     *     database was made with is refused
     */
    public static Installed install(Connection connection, OptionalInt shards) {
        return install(connection, shards, CitusUse.AUTO);
    }

    /**
     * The same, for those who say whether shards are spread over a Citus cluster.
     *
     * @param citus what to do about the extension
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
     * Installs the routines of this release again if any of them is missing from a database on which it was installed
     * before. Changes no table.
     *
     * @param connection as for {@link #install(Connection)}
     * @return true if routines were missing
     * @throws SchemaException when they cannot be installed, and why
     */
    public static boolean restoreRoutines(Connection connection) {
        try {
            return new Migrator(connection, Release.load(), OptionalInt.empty(), CitusUse.AUTO).restoreRoutines();
        } catch (SQLException e) {
            throw new SchemaException("cannot install the routines of Queen again: " + e.getMessage(), e);
        }
    }

    /**
     * @param api the schema whose routines this release calls
     * @param shards the shards of the database
     * @param isOnCitus whether the shards are spread over the nodes of a Citus cluster
     */
    public record Installed(String api, Shards shards, boolean isOnCitus) {
        /** What a session sets before it calls routines. */
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
