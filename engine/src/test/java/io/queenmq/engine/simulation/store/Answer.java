package io.queenmq.engine.simulation.store;

import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The result of a routine: rows of named columns, of which the statement selects some. */
final class Answer {
    private final List<String> columns;
    private final List<Object[]> rows = new ArrayList<>();

    Answer(List<String> columns) {
        this.columns = columns;
    }

    static Answer of(Object value) {
        return new Answer(List.of("value")).add(value);
    }

    /** Adds a row, with values in the order of the columns. */
    Answer add(Object... values) {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException("a row of " + values.length + " values for the columns " + columns);
        }
        rows.add(values);
        return this;
    }

    void forEach(Consumer<Object[]> visitor) {
        rows.forEach(visitor);
    }

    /** @param selected the columns, in order; empty for all */
    RowSet<Row> select(List<String> selected) {
        if (selected.isEmpty() || selected.equals(columns)) {
            return new StoredRowSet(columns, rows);
        }
        int[] places = selected.stream().mapToInt(this::place).toArray();
        List<Object[]> taken = new ArrayList<>(rows.size());
        for (Object[] row : rows) {
            Object[] values = new Object[places.length];
            for (int i = 0; i < places.length; i++) {
                values[i] = row[places[i]];
            }
            taken.add(values);
        }
        return new StoredRowSet(selected, taken);
    }

    private int place(String column) {
        int place = columns.indexOf(column);
        if (place < 0) {
            throw new IllegalArgumentException("the store has no column " + column + ", only " + columns);
        }
        return place;
    }

    static Buffer buffer(byte[] bytes) {
        return bytes == null ? null : Buffer.buffer(bytes);
    }
}
