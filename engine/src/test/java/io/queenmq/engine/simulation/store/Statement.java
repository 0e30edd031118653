package io.queenmq.engine.simulation.store;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement of the engine, as parsed by the store.
 *
 * @param routine the routine that it calls, or the table of a query without a routine
 * @param columns the selected columns, in order; empty if it selects all
 */
record Statement(String routine, List<String> columns) {
    /** Queries without a routine, by the first column that they read. */
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
            return new Statement(call.group(1),
                    columns.find()
                            ? Arrays.stream(columns.group(1).split(", ")).map(column -> column.replace("\"", ""))
                                    .toList()
                            : List.of());
        }
        for (String table : List.of(REVISED_PARTITIONS, CATALOG_STATE, SESSIONS, QUEUES)) {
            if (sql.contains("from " + table)) {
                return new Statement(table, List.of());
            }
        }
        throw new IllegalArgumentException("statement not supported by the store: " + sql);
    }

    boolean callsRoutine() {
        return !routine.contains(".") && !routine.equals(SESSIONS);
    }
}
