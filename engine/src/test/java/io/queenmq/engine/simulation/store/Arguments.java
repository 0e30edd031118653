package io.queenmq.engine.simulation.store;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;

/** The arguments of one call, by the names of the routine's parameters. */
final class Arguments {
    private final List<String> names;
    private final Tuple values;

    Arguments(List<String> names, Tuple values) {
        this.names = names;
        this.values = values;
    }

    private Object value(String name) {
        int at = names.indexOf(name);
        if (at < 0) {
            throw new IllegalArgumentException("the routine has no parameter " + name + ", only " + names);
        }
        return at < values.size() ? values.getValue(at) : null;
    }

    boolean has(String name) {
        return names.contains(name) && value(name) != null;
    }

    JsonObject json(String name) {
        return (JsonObject) value(name);
    }

    UUID[] uuids(String name) {
        return (UUID[]) value(name);
    }

    String[] strings(String name) {
        return (String[]) value(name);
    }

    Long[] longs(String name) {
        return (Long[]) value(name);
    }

    Integer[] integers(String name) {
        return (Integer[]) value(name);
    }

    Boolean[] booleans(String name) {
        return (Boolean[]) value(name);
    }

    OffsetDateTime[] moments(String name) {
        return (OffsetDateTime[]) value(name);
    }

    byte[][] bytes(String name) {
        Buffer[] buffers = (Buffer[]) value(name);
        byte[][] bytes = new byte[buffers.length][];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = buffers[i].getBytes();
        }
        return bytes;
    }

    UUID uuid(String name) {
        return (UUID) value(name);
    }

    String string(String name) {
        return (String) value(name);
    }

    Integer integer(String name) {
        return (Integer) value(name);
    }

    Long number(String name) {
        return (Long) value(name);
    }

    Boolean bool(String name) {
        return (Boolean) value(name);
    }

    OffsetDateTime moment(String name) {
        return (OffsetDateTime) value(name);
    }
}
