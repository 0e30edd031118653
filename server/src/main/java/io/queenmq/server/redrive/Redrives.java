package io.queenmq.server.redrive;

import io.queenmq.engine.Engine;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.command.RedrivenCommand;
import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.push.MessageIds;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.operator.PayloadView;
import io.queenmq.server.postgres.SessionOptions;
import io.queenmq.server.postgres.SessionPool;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Carries out redrives, a few dead letters at a time. One transaction claims dead letters, stores their messages at the end
 * of their partitions and deletes them: whenever the server or the connection fails, each is in exactly one of both places.
 * A redrive that cannot continue is tried again after the others, and fails if that happens repeatedly. One step at a time;
 * opened and closed by the server.
 */
public final class Redrives {
    private static final Logger log = LoggerFactory.getLogger(Redrives.class);
    private static final int BATCH = 500;
    private static final long POLL_EVERY_MS = 500;

    private final Vertx vertx;
    private final Engine engine;
    private final PayloadView payloads;
    private final PayloadCipher cipher;
    private final RedriveRoutines routines;
    private final MessageIds ids = new MessageIds(Clock.SYSTEM::epochMs);
    private final Deferrals deferrals = new Deferrals();
    private final SessionPool pool;
    private volatile boolean isClosed;
    private boolean hasFailed;

    private Redrives(Vertx vertx, DatabaseConfig database, String apiSchema, Engine engine, PayloadView payloads,
            PayloadCipher cipher) {
        this.vertx = vertx;
        this.engine = engine;
        this.payloads = payloads;
        this.cipher = cipher;
        this.routines = new RedriveRoutines(apiSchema);
        this.pool = new SessionPool(vertx, database, SessionOptions.forRedrives(database), 1, 1);
    }

    public static Redrives open(Vertx vertx, DatabaseConfig database, String apiSchema, Engine engine,
            PayloadView payloads, PayloadCipher cipher) {
        Redrives redrives = new Redrives(vertx, database, apiSchema, engine, payloads, cipher);
        redrives.stepIn(POLL_EVERY_MS);
        return redrives;
    }

    /** Replaces the connection. A step under way is rolled back, so its letters stay dead letters. Safe from any thread. */
    public void renew() {
        pool.renew();
    }

    /** Closes the connection. A step under way is rolled back, so its letters stay dead letters. */
    public Future<Void> close() {
        isClosed = true;
        return pool.close();
    }

    private void stepIn(long ms) {
        if (!isClosed) {
            vertx.setTimer(ms, _ -> step());
        }
    }

    /** Runs one step. Whatever its outcome, the next one follows. */
    private void step() {
        if (isClosed) {
            return;
        }
        Step step = new Step();
        pool.withTransaction(step::redriveNext).onSuccess(_ -> step.announce())
                .recover(cause -> hold(step.redriveId, cause)).onComplete(next -> {
                    report(next.cause());
                    stepIn(next.succeeded() ? delayMs(next.result()) : POLL_EVERY_MS);
                });
    }

    /**
     * Returns the delay before the next step. It is no longer than the poll interval, because another redrive may be due.
     *
     * @param continuesInMs the time after which the redrive of the last step continues
     */
    static long delayMs(long continuesInMs) {
        return Math.clamp(continuesInMs, 1, POLL_EVERY_MS);
    }

    /** Logs the first of several failures in a row. */
    private void report(@Nullable Throwable failure) {
        if (failure != null && !hasFailed && !isClosed) {
            // The loss of PostgreSQL is logged by the engine.
            log.atLevel(SqlFailure.of(failure) == SqlFailure.LOST ? Level.DEBUG : Level.WARN)
                    .log("redrive step failed, will retry: {}", RedriveFailure.of(failure).reason());
        }
        hasFailed = failure != null;
    }

    /** Records why a redrive did not continue. The transaction of the step was rolled back. */
    private Future<Long> hold(@Nullable UUID redriveId, Throwable cause) {
        if (redriveId == null || isClosed) {
            return Future.failedFuture(cause);
        }
        RedriveFailure failure = RedriveFailure.of(cause);
        if (failure.isFault()) {
            log.warn("redrive {} could not continue", redriveId, cause);
        }
        return pool.withConnection(connection -> routines.hold(connection, redriveId, failure)).map(status -> {
            if ("failed".equals(status)) {
                log.error("redrive {} failed: {}", redriveId, failure.reason());
            }
            return POLL_EVERY_MS;
        });
    }

    /** Moves the next dead letters of one redrive. */
    private final class Step {
        private @Nullable UUID redriveId;
        private @Nullable OpenedDeadLetters letters;

        /** Completes with the number of milliseconds after which the redrive continues. */
        Future<Long> redriveNext(SqlConnection connection) {
            return routines.next(connection, deferrals.deferred(Clock.SYSTEM.nowNs())).compose(next -> {
                redriveId = next;
                return next == null
                        ? Future.succeededFuture(POLL_EVERY_MS)
                        : routines.claim(connection, next, BATCH)
                                .compose(claimed -> redrive(connection, next, claimed));
            });
        }

        private Future<Long> redrive(SqlConnection connection, UUID id, List<DeadLetter> claimed) {
            if (claimed.isEmpty()) {
                return Future.succeededFuture(0L);
            }
            OpenedDeadLetters opened = new OpenedDeadLetters(claimed, ids, payloads, cipher);
            letters = opened;
            String unopened = opened.firstUnopened();
            if (unopened != null && deferrals.defer(id, claimed.getFirst(), Clock.SYSTEM.nowNs())) {
                return Future.failedFuture(new RedriveDeferred(unopened));
            }
            return routines.move(connection, opened)
                    .compose(_ -> routines.finish(connection, claimed, opened.errors()));
        }

        /** Counts the stored messages and wakes the consumers of their partitions. Must be called after the commit. */
        void announce() {
            if (letters != null) {
                letters.movableByTarget().forEach((target, count) -> engine
                        .submit(new RedrivenCommand(target.queue(), target.partition(), count)));
            }
        }
    }
}
