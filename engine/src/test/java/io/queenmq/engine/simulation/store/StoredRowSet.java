package io.queenmq.engine.simulation.store;

import io.vertx.sqlclient.PropertyKind;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowIterator;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.desc.ColumnDescriptor;
import java.util.Iterator;
import java.util.List;

/** The rows of one answer. */
public final class StoredRowSet implements RowSet<Row> {
    private final List<String> columns;
    private final List<StoredRow> rows;

    public StoredRowSet(List<String> columns, List<Object[]> rows) {
        this.columns = columns;
        this.rows = rows.stream().map(values -> new StoredRow(columns, values)).toList();
    }

    @Override
    public RowIterator<Row> iterator() {
        Iterator<StoredRow> each = rows.iterator();
        return new RowIterator<>() {
            @Override
            public boolean hasNext() {
                return each.hasNext();
            }

            @Override
            public Row next() {
                return each.next();
            }
        };
    }

    @Override
    public int size() {
        return rows.size();
    }

    @Override
    public int rowCount() {
        return rows.size();
    }

    @Override
    public List<String> columnsNames() {
        return columns;
    }

    @Override
    public List<ColumnDescriptor> columnDescriptors() {
        throw new UnsupportedOperationException("the store describes no columns");
    }

    @Override
    public <V> V property(PropertyKind<V> kind) {
        return null;
    }

    @Override
    public RowSet<Row> value() {
        return this;
    }

    @Override
    public RowSet<Row> next() {
        return null;
    }
}
