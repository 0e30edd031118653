package io.queenmq.server.operator;

import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.postgres.SessionOptions;
import io.queenmq.server.postgres.SqlFailure;
import io.queenmq.server.reply.Failure;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Tuple;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A few connections for operators. Opened and closed by the server; safe from any thread. */
public final class OperatorPool implements OperatorDesk {
    private static final int CONNECTIONS = 4;
    private static final int WAITING_MAX = 200;

    private final Pool pool;
    private final String apiSchema;
    private final PayloadView payloads;

    public OperatorPool(Vertx vertx, DatabaseConfig database, String apiSchema, PayloadView payloads) {
        this.payloads = payloads;
        this.apiSchema = apiSchema;
        PoolOptions size = new PoolOptions().setMaxSize(CONNECTIONS).setMaxWaitQueueSize(WAITING_MAX)
                .setConnectionTimeout((int) database.connectTimeout().toMillis())
                .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS).setIdleTimeout(60)
                .setIdleTimeoutUnit(TimeUnit.SECONDS);
        this.pool = PgBuilder.pool().connectingTo(SessionOptions.forOperators(database)).with(size).using(vertx)
                .build();
    }

    @Override
    public PayloadView payloads() {
        return payloads;
    }

    @Override
    public void call(OperatorCall call) {
        String places = IntStream.rangeClosed(1, call.arguments().size()).mapToObj(i -> "$" + i)
                .collect(Collectors.joining(", "));
        String sql = "select " + apiSchema + "." + call.routine() + "(" + places + ")";
        pool.preparedQuery(sql).execute(Tuple.from(call.arguments())).onSuccess(rows -> {
            String document = rows.iterator().next().getString(0);
            call.reply().succeed(
                    document == null ? new OperatorOutcome.Missing() : new OperatorOutcome.Document(document));
        }).onFailure(cause -> refuse(call, cause));
    }

    private static void refuse(OperatorCall call, Throwable cause) {
        String message = SqlFailure.messageOf(cause);
        switch (SqlFailure.of(cause)) {
            case IMPOSSIBLE -> call.reply().succeed(new OperatorOutcome.Impossible(message));
            case REFUSED, DEFECT -> call.reply().fail(new Failure.Refused(message));
            case LOST, UNABLE, TRANSIENT, LANE_MOVED, LEASE_GONE, OUTDATED ->
                call.reply().fail(new Failure.Unavailable(message));
        }
    }

    public Future<Void> close() {
        return pool.close();
    }
}
