package io.queenmq.server.redrive;

import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.engine.Engine;
import io.queenmq.server.operator.PayloadView;
import io.queenmq.server.postgres.SessionOptions;
import io.queenmq.server.push.MessageIds;
import io.queenmq.server.push.PushCommand;
import io.queenmq.server.push.PushOutcome;
import io.queenmq.server.reply.Reply;
import io.queenmq.server.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out redrives, a few dead letters at a time. They stay claimed in an open transaction until they are stored in
 * their lanes, and are removed when it commits: none is ever lost, and one is pushed twice only if the server or this
 * connection dies between the two. One step at a time; opened and closed by the server.
 */
public final class Redrives {
    private static final Logger log = LoggerFactory.getLogger(Redrives.class);
    private static final int BATCH = 500;
    private static final long LOOK_EVERY_MS = 500;

    private final Vertx vertx;
    private final Engine engine;
    private final PayloadView payloads;
    private final RedriveRoutines routines;
    private final MessageIds ids = new MessageIds(Clock.SYSTEM::epochMs);
    private final Pool pool;
    private volatile boolean isClosed;

    private Redrives(Vertx vertx, DatabaseConfig database, String apiSchema, Engine engine, PayloadView payloads) {
        this.vertx = vertx;
        this.engine = engine;
        this.payloads = payloads;
        this.routines = new RedriveRoutines(apiSchema);
        PoolOptions size = new PoolOptions().setMaxSize(1)
                .setConnectionTimeout((int) database.connectTimeout().toMillis())
                .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS);
        this.pool = PgBuilder.pool().connectingTo(SessionOptions.forOperators(database)).with(size).using(vertx)
                .build();
    }

    public static Redrives open(Vertx vertx, DatabaseConfig database, String apiSchema, Engine engine,
            PayloadView payloads) {
        Redrives redrives = new Redrives(vertx, database, apiSchema, engine, payloads);
        redrives.goOnIn(LOOK_EVERY_MS);
        return redrives;
    }

    /** What is claimed at this moment stays a dead letter. */
    public Future<Void> close() {
        isClosed = true;
        return pool.close();
    }

    private void goOnIn(long ms) {
        if (!isClosed) {
            vertx.setTimer(Math.max(1, ms), _ -> goOn());
        }
    }

    private void goOn() {
        if (isClosed) {
            return;
        }
        pool.withTransaction(this::redriveNext).onComplete(next -> {
            if (next.failed()) {
                log.debug("dead letters could not be redriven and will be tried again", next.cause());
            }
            goOnIn(next.succeeded() ? Math.min(next.result(), LOOK_EVERY_MS) : LOOK_EVERY_MS);
        });
    }

    /** Completes with the number of milliseconds after which to look again. */
    private Future<Long> redriveNext(SqlConnection connection) {
        return routines.claim(connection, BATCH).compose(claimed -> claimed.isEmpty()
                ? Future.succeededFuture(LOOK_EVERY_MS)
                : push(claimed).compose(outcomes -> routines.finish(connection, claimed, outcomes)));
    }

    private Future<List<PushOutcome>> push(List<DeadLetter> claimed) {
        Promise<List<PushOutcome>> pushed = Promise.promise();
        engine.push(new PushCommand(claimed.stream().map(each -> each.message(ids.next(), payloads)).toList(), true,
                Reply.of(pushed::complete, failure -> pushed.fail(failure.message()))));
        return pushed.future();
    }
}
