package io.queenmq.schema;

import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** Turns a list of requests into the arrays that a routine takes, one per column. */
record Args<T>(Connection connection, List<T> items) {
    Array uuids(Function<T, UUID> column) {
        return array("uuid", column);
    }

    Array texts(Function<T, String> column) {
        return array("text", column);
    }

    Array ints(Function<T, Integer> column) {
        return array("int4", column);
    }

    Array booleans(Function<T, Boolean> column) {
        return array("bool", column);
    }

    Array longs(Function<T, Long> column) {
        return array("int8", column);
    }

    Array times(Function<T, OffsetDateTime> column) {
        return array("timestamptz", column);
    }

    Array bytes(Function<T, byte[]> column) {
        return create("bytea", items.stream().map(column).toArray(byte[][]::new));
    }

    private Array array(String type, Function<T, ?> column) {
        return create(type, items.stream().map(column).toArray());
    }

    private Array create(String type, Object[] elements) {
        try {
            return connection.createArrayOf(type, elements);
        } catch (SQLException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
