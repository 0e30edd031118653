package io.queenmq.server.operator;

import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.reply.Failure;
import io.queenmq.schema.Shards;
import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.postgres.SessionOptions;
import io.queenmq.server.postgres.SessionPool;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A few connections for operators. Opened and closed by the server; safe from any thread. */
public final class OperatorPool implements OperatorDesk {
    private static final int CONNECTIONS = 4;
    private static final int WAITING_MAX = 200;
    /** Routines that change all partitions of a queue and may leave some of them for later pages. */
    private static final Set<String> PAGED = Set.of("seek_queue", "clear_queue", "delete_group", "continue_deletion");

    private final SessionPool pool;
    private final String apiSchema;
    private final PayloadView payloads;
    private final OperationPages pages;

    public OperatorPool(Vertx vertx, DatabaseConfig database, String apiSchema, PayloadView payloads) {
        this.payloads = payloads;
        this.apiSchema = apiSchema;
        this.pool = new SessionPool(vertx, database, SessionOptions.forOperators(database), CONNECTIONS,
                WAITING_MAX);
        this.pages = new OperationPages(vertx, pool, apiSchema);
    }

    /** Replaces all connections. Safe from any thread. */
    public void renew() {
        pool.renew();
    }

    @Override
    public PayloadView payloads() {
        return payloads;
    }

    @Override
    public void call(OperatorCall call) {
        String places = IntStream.rangeClosed(1, call.arguments().size()).mapToObj(i -> "$" + i)
                .collect(Collectors.joining(", "));
        Tuple arguments = Tuple.from(call.arguments());
        String expression = inShard(call.shard(), apiSchema + "." + call.routine() + "(" + places + ")");
        if (call.client() != null) {
            arguments.addString(call.client());
            expression = forClient("$" + arguments.size(), expression);
        }
        String sql = "select " + expression;
        // Whatever goes wrong on the way is an answer, too.
        pool.withConnection(connection -> connection.preparedQuery(sql).execute(arguments))
                .map(OperatorPool::outcome)
                .compose(first -> PAGED.contains(call.routine()) ? pages.finish(first) : Future.succeededFuture(first))
                .onComplete(outcome -> {
                    if (outcome.succeeded()) {
                        call.reply().succeed(outcome.result());
                    } else {
                        refuse(call, outcome.cause());
                    }
                });
    }

    /** In one statement, so that a shard costs no more round trips; PostgreSQL evaluates the condition first. */
    private static String inShard(String shard, String expression) {
        return shard == null
                ? expression
                : "case when set_config('search_path', '" + Shards.path(shard) + "', true) is not null then "
                        + expression + " end";
    }

    /** The audit log reads the address from this setting, which ends with the transaction. */
    private static String forClient(String address, String expression) {
        return "case when set_config('queen.client_address', " + address + ", true) is not null then " + expression
                + " end";
    }

    private static OperatorOutcome outcome(RowSet<Row> rows) {
        String document = rows.iterator().next().getString(0);
        return document == null ? new OperatorOutcome.Missing() : new OperatorOutcome.Document(document);
    }

    private static void refuse(OperatorCall call, Throwable cause) {
        String message = SqlFailure.messageOf(cause);
        switch (SqlFailure.of(cause)) {
            case IMPOSSIBLE -> call.reply().succeed(new OperatorOutcome.Impossible(message));
            case REFUSED, FORBIDDEN, FULL, DEFECT -> call.reply().fail(new Failure.Refused(message));
            case LOST, UNABLE, SCHEMA_MISSING, TRANSIENT, PARTITION_MOVED, LEASE_GONE, OUTDATED, BUSY ->
                call.reply().fail(new Failure.Unavailable(message));
        }
    }

    public Future<Void> close() {
        pages.close();
        return pool.close();
    }
}
