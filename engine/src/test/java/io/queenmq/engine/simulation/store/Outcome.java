package io.queenmq.engine.simulation.store;

import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The outcome of a call: rows as comparable text, or an error. */
record Outcome(List<String> text, List<Row> rows, String error) {
    private static final List<String> FLAGS = List.of("is_dead", "is_alone", "is_busy", "is_live", "is_released",
            "is_pending", "is_new");

    static Outcome of(Supplier<RowSet<Row>> call) {
        try {
            RowSet<Row> rows = call.get();
            List<Row> list = new ArrayList<>();
            rows.forEach(list::add);
            return new Outcome(list.stream().map(Outcome::text).sorted().toList(), list, null);
        } catch (PgException e) {
            String detail = e.getSqlState().startsWith("QN") && e.getDetail() != null ? " " + e.getDetail() : "";
            return new Outcome(List.of(e.getSqlState() + " " + e.getErrorMessage() + detail), List.of(),
                    e.getSqlState());
        }
    }

    /** Returns true if the routine rejected the call. */
    boolean isRefused() {
        return error != null && error.startsWith("QN");
    }

    /** Returns the error, or the notable property of the rows. */
    Set<String> events() {
        if (error != null) {
            return Set.of(error);
        }
        Set<String> events = new TreeSet<>(List.of(rows.isEmpty() ? "nothing" : "something"));
        for (Row row : rows) {
            if (row.getColumnIndex("status") >= 0) {
                events.add(row.getString("status"));
            }
            if (row.getColumnIndex("base") >= 0 && row.getLong("base") == null
                    || row.getColumnIndex("head") >= 0 && row.getLong("head") == null) {
                events.add("no place");
            }
            FLAGS.stream().filter(flag -> row.getColumnIndex(flag) >= 0 && Boolean.TRUE.equals(row.getBoolean(flag)))
                    .forEach(events::add);
        }
        return events;
    }

    private static String text(Row row) {
        if (row.getColumnIndex("paused_groups") >= 0) {
            return queueText(row);
        }
        return row.getColumnIndex("attempts") < 0 ? Snapshot.text(row) : leaseText(row);
    }

    /** Returns a row of queen.queue by column name, because migrations add columns at the end. */
    private static String queueText(Row row) {
        return IntStream.range(0, row.size()).mapToObj(i -> row.getColumnName(i) + " " + Snapshot.text(row.getValue(i)))
                .sorted().toList().toString();
    }

    /** For a partition that is not leased only that fact is compared. The grouping of messages into runs is irrelevant. */
    private static String leaseText(Row row) {
        List<Object> values = new ArrayList<>();
        for (String column : List.of("index", "status", "first", "head", "until_ms", "acked")) {
            values.add(row.getValue(column));
        }
        if (row.getString("status").equals("leased")) {
            values.add(row.getLong("end"));
            values.add(row.getBoolean("is_alone"));
            values.add(row.getLong("bytes"));
            Ranges finished = row.getString("acked") == null ? Ranges.NONE : Ranges.parse(row.getString("acked"));
            Long[] runs = row.getArrayOfLongs("attempts");
            for (int i = 0; runs != null && i < runs.length; i += 3) {
                for (long offset = runs[i]; offset < runs[i + 1]; offset++) {
                    if (offset >= row.getLong("first") && offset < row.getLong("end") && !finished.contains(offset)) {
                        values.add(offset + " failed " + runs[i + 2]);
                    }
                }
            }
        }
        return values.toString();
    }
}
