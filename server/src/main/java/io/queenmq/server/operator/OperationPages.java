package io.queenmq.server.operator;

import io.queenmq.engine.time.Clock;
import io.queenmq.server.postgres.SessionPool;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;

/**
 * Continues a change that is made in pages, so that its request is answered when it is finished. A change that takes longer
 * is answered with its progress; upkeep finishes it, also when this server crashes. Safe from any thread.
 */
final class OperationPages {
    /** Shorter than clients usually wait for a response. */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(25);
    private static final int PARTITIONS_PER_PAGE = 1_000;
    /** Pause after a page that failed, or that another session was processing. */
    private static final long PAUSE_MS = 100;

    private final Vertx vertx;
    private final SessionPool pool;
    private final String next;
    private volatile boolean isClosed;

    OperationPages(Vertx vertx, SessionPool pool, String apiSchema) {
        this.vertx = vertx;
        this.pool = pool;
        this.next = "select " + apiSchema + ".continue_request($1, $2)";
    }

    /** @param first the outcome of the call that began the change */
    Future<OperatorOutcome> finish(OperatorOutcome first) {
        return first instanceof OperatorOutcome.Document(var json)
                ? finish(json, Clock.SYSTEM.nowNs() + ANSWER_WITHIN.toNanos())
                : Future.succeededFuture(first);
    }

    private Future<OperatorOutcome> finish(String json, long deadlineNs) {
        boolean isTimeUp = isClosed || Clock.SYSTEM.nowNs() - deadlineNs >= 0;
        return switch (PageStep.of(json, isTimeUp)) {
            case PageStep.Complete(var document) -> Future.succeededFuture(new OperatorOutcome.Document(document));
            case PageStep.Detach(var document) -> Future.succeededFuture(new OperatorOutcome.InProgress(document));
            case PageStep.Continue(var operationId) -> page(operationId, json).compose(
                    now -> now.equals(json) ? pause().compose(_ -> finish(json, deadlineNs)) : finish(now, deadlineNs));
        };
    }

    /** Processes one page and returns the new document; the old one if the page failed. */
    private Future<String> page(UUID operationId, String json) {
        return pool.withConnection(
                connection -> connection.preparedQuery(next).execute(Tuple.of(operationId, PARTITIONS_PER_PAGE)))
                .map(OperationPages::document).otherwise(json);
    }

    private static String document(RowSet<Row> rows) {
        return Objects.requireNonNull(rows.iterator().next().getString(0), "the operation is recorded");
    }

    private Future<Void> pause() {
        Promise<Void> over = Promise.promise();
        vertx.setTimer(PAUSE_MS, _ -> over.complete());
        return over.future();
    }

    /** Answers requests under way with their progress. */
    void close() {
        isClosed = true;
    }
}
