package io.queenmq.server.operator;

import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.postgres.SessionOptions;
import io.queenmq.server.postgres.SessionPool;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.Set;

/** The connections on which routines for operators are called. Opened and closed by the server; safe from any thread. */
public final class OperatorPool implements OperatorQueries {
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
        this.pool = new SessionPool(vertx, database, SessionOptions.forOperators(database), CONNECTIONS, WAITING_MAX);
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
        OperatorStatement statement = OperatorStatement.of(call, apiSchema);
        Tuple arguments = Tuple.from(statement.arguments());
        pool.withConnection(connection -> connection.preparedQuery(statement.sql()).execute(arguments))
                .map(OperatorPool::outcome)
                .compose(first -> PAGED.contains(call.routine()) ? pages.finish(first) : Future.succeededFuture(first))
                .onComplete(outcome -> {
                    if (outcome.succeeded()) {
                        call.reply().succeed(outcome.result());
                    } else {
                        fail(call, outcome.cause());
                    }
                });
    }

    private static OperatorOutcome outcome(RowSet<Row> rows) {
        String document = rows.iterator().next().getString(0);
        return document == null ? new OperatorOutcome.Missing() : new OperatorOutcome.Document(document);
    }

    private static void fail(OperatorCall call, Throwable cause) {
        switch (FailedCall.of(cause)) {
            case FailedCall.Rejected(var outcome) -> call.reply().succeed(outcome);
            case FailedCall.Failed(var failure) -> call.reply().fail(failure);
        }
    }

    public Future<Void> close() {
        pages.close();
        return pool.close();
    }
}
