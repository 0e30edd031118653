package io.queenmq.server.redrive;

import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.engine.Engine;
import io.queenmq.server.operator.PayloadView;
import io.queenmq.server.postgres.SessionOptions;
import io.queenmq.server.postgres.SessionPool;
import io.queenmq.server.postgres.SqlFailure;
import io.queenmq.server.push.MessageIds;
import io.queenmq.server.push.PushCommand;
import io.queenmq.server.push.PushItem;
import io.queenmq.server.push.PushOutcome;
import io.queenmq.server.reply.Failure;
import io.queenmq.server.reply.Reply;
import io.queenmq.server.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out redrives, a few dead letters at a time. They stay claimed in an open transaction until they are stored in
 * their lanes, and are removed when it commits: none is ever lost, and one is pushed twice only if the server or this
 * connection dies between the two. A redrive that cannot go on lets the others go first, and fails if that does not
 * change. One step at a time; opened and closed by the server.
 */
public final class Redrives {
    private static final Logger log = LoggerFactory.getLogger(Redrives.class);
    private static final int BATCH = 500;
    private static final long LOOK_EVERY_MS = 500;
    /** The engine answers long before, unless it has lost the question. */
    private static final Duration PUSH_WITHIN = Duration.ofMinutes(2);

    private final Vertx vertx;
    private final Engine engine;
    private final PayloadView payloads;
    private final RedriveRoutines routines;
    private final MessageIds ids = new MessageIds(Clock.SYSTEM::epochMs);
    private final Deferrals deferrals = new Deferrals(Clock.SYSTEM::nowNs);
    private final SessionPool pool;
    private volatile boolean isClosed;
    private boolean wasTroubled;

    private Redrives(Vertx vertx, DatabaseConfig database, String apiSchema, Engine engine, PayloadView payloads) {
        this.vertx = vertx;
        this.engine = engine;
        this.payloads = payloads;
        this.routines = new RedriveRoutines(apiSchema);
        this.pool = new SessionPool(vertx, database, SessionOptions.forRedrives(database), 1, 1);
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

    /** Whatever becomes of this step, there is a next one. */
    private void goOn() {
        if (isClosed) {
            return;
        }
        Step step = new Step();
        pool.withTransaction(step::redriveNext).recover(cause -> hold(step.redriveId, cause)).onComplete(next -> {
            report(next.cause());
            goOnIn(next.succeeded() ? Math.min(next.result(), LOOK_EVERY_MS) : LOOK_EVERY_MS);
        });
    }

    /** That redrives cannot be looked for is said once, however long it lasts. */
    private void report(Throwable trouble) {
        if (trouble != null && !wasTroubled && !isClosed) {
            log.warn("dead letters cannot be redriven, which is tried again: {}", messageOf(trouble));
        }
        wasTroubled = trouble != null;
    }

    /** Takes note of why a redrive did not go on; the transaction in which it was tried is rolled back. */
    private Future<Long> hold(UUID redriveId, Throwable cause) {
        if (redriveId == null || isClosed) {
            return Future.failedFuture(cause);
        }
        boolean isFault = isFault(cause);
        if (isFault) {
            log.warn("redrive {} could not go on", redriveId, cause);
        }
        return pool.withConnection(connection -> routines.hold(connection, redriveId, messageOf(cause), isFault))
                .map(status -> {
                    if ("failed".equals(status)) {
                        log.error("redrive {} has failed: {}", redriveId, messageOf(cause));
                    }
                    return LOOK_EVERY_MS;
                });
    }

    /** Whether a redrive itself is to blame, and not PostgreSQL that is away, or an operator. */
    private static boolean isFault(Throwable cause) {
        return switch (cause) {
            case NotNow _ -> false;
            case PgException refused -> SqlFailure.of(refused) != SqlFailure.LOST;
            case VertxException _ -> false;
            default -> true;
        };
    }

    private static String messageOf(Throwable cause) {
        String message = SqlFailure.messageOf(cause);
        return message == null ? cause.toString() : message;
    }

    /** The next few letters of one redrive. */
    private final class Step {
        private UUID redriveId;

        /** Completes with the number of milliseconds after which to look again. */
        Future<Long> redriveNext(SqlConnection connection) {
            return routines.next(connection, deferrals.leftToOthers()).compose(next -> {
                redriveId = next;
                return next == null
                        ? Future.succeededFuture(LOOK_EVERY_MS)
                        : routines.claim(connection, next, BATCH).compose(claimed -> redrive(connection, claimed));
            });
        }

        private Future<Long> redrive(SqlConnection connection, List<DeadLetter> claimed) {
            if (claimed.isEmpty()) {
                return Future.succeededFuture(0L);
            }
            OpenedLetters opened = new OpenedLetters(claimed, ids, payloads);
            if (opened.firstError() != null && deferrals.isLeft(redriveId, claimed.getFirst())) {
                return Future.failedFuture(new NotNow(opened.firstError()));
            }
            return push(opened.messages())
                    .compose(outcomes -> routines.finish(connection, claimed, opened.errorsAfter(outcomes)));
        }

        private Future<List<PushOutcome>> push(List<PushItem> messages) {
            if (messages.isEmpty()) {
                return Future.succeededFuture(List.of());
            }
            Promise<List<PushOutcome>> pushed = Promise.promise();
            engine.push(new PushCommand(messages, true, Reply.of(pushed::tryComplete, failure -> {
                switch (failure) {
                    case Failure.Refused refused -> pushed.tryComplete(
                            Collections.nCopies(messages.size(), new PushOutcome.Failed(refused.message())));
                    case Failure.Unavailable _, Failure.Overloaded _, Failure.Maintenance _ ->
                        pushed.tryFail(new NotNow(failure.message()));
                }
            })));
            return pushed.future().timeout(PUSH_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        }
    }
}
