package io.queenmq.server.upkeep;

import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The SQL side of {@link StateSweep}. Each call is a transaction. Owned by the upkeep thread. */
final class StateRoutines {
    private static final UUID NO_ID = new UUID(0, 0);

    private final String queries;
    private final String states;
    private final String replace;
    private final String checked;

    /** A stream query, and the id of its state. */
    record SealedQuery(UUID id, UUID stateId) {}

    record StoredState(UUID partitionId, String key, byte[] value, boolean isSealed) {}

    StateRoutines(String api) {
        queries = "select query_id, state_id from " + api + ".queries_of($1)";
        states = "select partition_id, key, value, is_sealed from " + api + ".states_to_check($1, $2, $3, $4)";
        replace = "select " + api + ".reencrypt_state($1, $2, $3, $4, $5)";
        checked = "select " + api + ".record_state_check($1, $2, $3, $4)";
    }

    /** Returns the stream queries that read the queue. */
    List<SealedQuery> queries(UpkeepSession session, UUID queueId) throws TimeoutException {
        List<SealedQuery> found = new ArrayList<>();
        for (Row row : session.rows(queries, Tuple.of(queueId))) {
            found.add(new SealedQuery(row.getUUID(0), row.getUUID(1)));
        }
        return found;
    }

    /** @param last the last value of the page before, or null */
    List<StoredState> states(UpkeepSession session, SealedQuery query, @Nullable StoredState last)
            throws TimeoutException {
        List<StoredState> page = new ArrayList<>();
        for (Row row : session.rows(states, Tuple.of(query.stateId, last == null ? NO_ID : last.partitionId,
                last == null ? "" : last.key, KeyRoutines.PAGE))) {
            page.add(new StoredState(row.getUUID(0), row.getString(1), row.getBuffer(2).getBytes(), row.getBoolean(3)));
        }
        return page;
    }

    /** Returns false if the value is not the one that was read, or is locked. */
    boolean replace(UpkeepSession session, SealedQuery query, StoredState state, byte[] value) throws TimeoutException {
        return session.call(replace,
                Tuple.of(query.stateId, state.partitionId, state.key, Buffer.buffer(state.value), Buffer.buffer(value)))
                .getBoolean(0);
    }

    /** @param others counts the values that keep another key */
    void checked(UpkeepSession session, UUID queueId, OtherKeys others) throws TimeoutException {
        session.call(checked,
                Tuple.of(queueId).addValue(others.keyIds()).addValue(others.counts()).addValue(others.bytes()));
    }
}
