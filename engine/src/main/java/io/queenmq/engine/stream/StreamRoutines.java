package io.queenmq.engine.stream;

import io.queenmq.engine.command.ReadStateCommand;
import io.queenmq.engine.command.RegisterQueryCommand;
import io.queenmq.engine.command.RegisterQueryOutcome;

import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.partition.Micros;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Calls the routines register_query, find_queries and read_state. */
final class StreamRoutines {
    private final String register;
    private final String find;
    private final String read;

    StreamRoutines(String api) {
        register = "select query_id, is_fresh, was_reset, is_refused from " + api
                + ".register_query($1, $2, $3, $4, $5, $6)";
        find = "select index, source_queue from " + api + ".find_queries($1)";
        read = "select index, key, value, is_sealed, updated_at from " + api
                + ".read_state($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    }

    Future<RegisterQueryOutcome> register(Connection connection, RegisterQueryCommand command) {
        return connection.call(register, Tuple.of(command.actor(), command.name(), command.sourceQueue(),
                command.sinkQueue(), command.configHash(), command.isReset())).map(rows -> {
                    Row row = rows.iterator().next();
                    return new RegisterQueryOutcome(row.getUUID(0), row.getBoolean(1), row.getBoolean(2),
                            row.getBoolean(3));
                });
    }

    /** Returns the source queue of each query; empty for a query that does not exist. */
    Future<List<Optional<String>>> find(Connection connection, UUID[] queryIds) {
        return connection.call(find, Tuple.tuple().addValue(queryIds)).map(rows -> {
            List<Optional<String>> found = new ArrayList<>(Collections.nCopies(queryIds.length, Optional.empty()));
            for (Row row : rows) {
                found.set(row.getInteger(0) - 1, Optional.ofNullable(row.getString(1)));
            }
            return found;
        });
    }

    Future<List<StoredState>> read(Connection connection, List<ReadStateCommand> commands, int rowsMax, long bytesMax) {
        int size = commands.size();
        UUID[] queryIds = new UUID[size];
        UUID[] partitionIds = new UUID[size];
        @Nullable
        Integer[] firsts = new @Nullable Integer[size];
        @Nullable
        Integer[] lasts = new @Nullable Integer[size];
        List<String> keys = new ArrayList<>();
        @Nullable
        String[] prefixes = new @Nullable String[size];
        @Nullable
        Double[] ripeUntils = new @Nullable Double[size];
        Long[] hosts = new Long[size];
        for (int i = 0; i < size; i++) {
            ReadStateCommand command = commands.get(i);
            queryIds[i] = command.queryId();
            partitionIds[i] = command.partitionId();
            if (command.keys() != null) {
                firsts[i] = keys.size() + 1;
                keys.addAll(command.keys());
                lasts[i] = keys.size();
            }
            prefixes[i] = command.prefix();
            ripeUntils[i] = command.ripeUntil();
            hosts[i] = command.host();
        }
        Tuple arguments = Tuple.of(queryIds, partitionIds, firsts, lasts, keys.toArray(String[]::new), prefixes)
                .addValue(ripeUntils).addInteger(rowsMax).addLong(bytesMax).addValue(hosts);
        return connection.call(read, arguments).map(rows -> {
            List<StoredState> states = new ArrayList<>(size);
            for (int i = 0; i < size; i++) {
                states.add(new StoredState());
            }
            for (Row row : rows) {
                states.get(row.getInteger(0) - 1).add(row.getString(1), row.getBuffer(2), row.getBoolean(3),
                        row.getOffsetDateTime(4) == null ? 0 : Micros.of(row.getOffsetDateTime(4)));
            }
            return states;
        });
    }

    /** The stored state for one command. */
    static final class StoredState {
        private final List<Row> rows = new ArrayList<>();
        private boolean isKnown = true;
        private boolean isCut;

        private void add(String key, Buffer value, Boolean isSealed, long updatedAtMicros) {
            if (key == null) {
                isKnown = false;
            } else if (value == null) {
                isCut = true;
            } else {
                rows.add(new Row(key, value.getBytes(), isSealed, updatedAtMicros));
            }
        }

        List<Row> rows() {
            return rows;
        }

        /** Returns true if the query exists. */
        boolean isKnown() {
            return isKnown;
        }

        /** Returns true if the state has more rows or bytes than the bounds allow. */
        boolean isCut() {
            return isCut;
        }

        /** A key and its stored value. */
        record Row(String key, byte[] value, boolean isSealed, long updatedAtMicros) {}
    }
}
