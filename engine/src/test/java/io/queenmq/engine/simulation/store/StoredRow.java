package io.queenmq.engine.simulation.store;

import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.internal.ArrayTuple;
import java.util.Arrays;
import java.util.List;

/** A row with values of the same types as those of the driver. */
final class StoredRow extends ArrayTuple implements Row {
    private final List<String> columns;

    StoredRow(List<String> columns, Object[] values) {
        super(Arrays.asList(values));
        this.columns = columns;
    }

    @Override
    public String getColumnName(int position) {
        return columns.get(position);
    }

    @Override
    public int getColumnIndex(String column) {
        return columns.indexOf(column);
    }
}
