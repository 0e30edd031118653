package io.queenmq.server.auth;

import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.postgres.SessionOptions;
import io.queenmq.server.postgres.SessionPool;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Calls the routines of authentication on one connection of its own, so that no other call delays a revocation. */
public final class PostgresAuthStore implements AuthStore {
    private static final int CONNECTIONS = 1;
    private static final int WAITING_MAX = 2;
    /** So that the connection, which is closed after that time, can report it itself. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final SessionPool pool;
    private final Duration answerWithin;
    private final String load;
    private final String record;

    public PostgresAuthStore(Vertx vertx, DatabaseConfig database, String api) {
        this.pool = new SessionPool(vertx, database, SessionOptions.forOperators(database), CONNECTIONS, WAITING_MAX);
        this.answerWithin = database.timeouts().connect().plus(SessionPool.silenceMax(database)).plus(GRACE);
        this.load = "select version, token_ids, subjects, subjects_before, issued_before from " + api
                + ".token_revocations($1)";
        this.record = "select " + api + ".record_rejections($1, $2, $3, $4, $5, $6)";
    }

    @Override
    public @Nullable Revocations revocations(long knownVersion) throws TimeoutException {
        RowSet<Row> rows = call(load, Tuple.of(knownVersion));
        if (rows.size() == 0) {
            return null;
        }
        Row row = rows.iterator().next();
        String[] subjects = row.getArrayOfStrings(2);
        Double[] befores = row.getArrayOfDoubles(3);
        Map<String, Double> bySubject = new HashMap<>();
        for (int i = 0; i < subjects.length; i++) {
            bySubject.put(subjects[i], befores[i]);
        }
        return new Revocations(row.getLong(0), Set.of(row.getArrayOfStrings(1)), Map.copyOf(bySubject),
                row.getDouble(4));
    }

    @Override
    public void record(List<RejectedAction> actions) throws TimeoutException {
        call(record,
                Tuple.of(texts(actions, RejectedAction::actor), texts(actions, RejectedAction::address),
                        texts(actions, RejectedAction::action), texts(actions, each -> each.reason().label()),
                        texts(actions, RejectedAction::path),
                        actions.stream().map(RejectedAction::count).toArray(Long[]::new)));
    }

    private static String[] texts(List<RejectedAction> actions, Function<RejectedAction, @Nullable String> field) {
        return actions.stream().map(field).toArray(String[]::new);
    }

    private RowSet<Row> call(String sql, Tuple arguments) throws TimeoutException {
        return pool.withConnection(connection -> connection.preparedQuery(sql).execute(arguments))
                .await(answerWithin.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void renew() {
        pool.renew();
    }

    @Override
    public void close() {
        pool.close().await();
    }
}
