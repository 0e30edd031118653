package io.queenmq.engine.simulation.store;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement of the engine, as far as the store has to understand it.
 *
 * @param routine the routine it calls, or the table a query without a routine is about
 * @param columns what it selects, in order; empty where it selects everything
 */
record Statement(String routine, List<String> columns) {
    /** Queries that call no routine, by what they read first. */
    static final String CATALOG_STATE = "queen.catalog";
    static final String QUEUES = "queen.queue";
    static final String REVISED_PARTITIONS = "queen.revised_partition";
    static final String SESSIONS = "pg_stat_activity";

    private static final Pattern CALL = Pattern.compile("\\b\\w+\\.(\\w+)\\(");
    private static final Pattern COLUMNS = Pattern.compile("^select (\"?\\w+\"?(?:, \"?\\w+\"?)*) from ");

    static Statement of(String sql) {
        Matcher call = CALL.matcher(sql);
        if (call.find()) {
            Matcher columns = COLUMNS.matcher(sql);
            return new Statement(call.group(1), columns.find()
                    ? Arrays.stream(columns.group(1).split(", ")).map(column -> column.replace("\"", "")).toList()
                    : List.of());
        }
        for (String table : List.of(REVISED_PARTITIONS, CATALOG_STATE, SESSIONS, QUEUES)) {
            if (sql.contains("from " + table)) {
                return new Statement(table, List.of());
            }
        }
        throw new IllegalArgumentException("the store does not know this statement: " + sql);
    }

    boolean callsRoutine() {
        return !routine.contains(".") && !routine.equals(SESSIONS);
    }
}
