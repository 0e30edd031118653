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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out redrives, a few dead letters at a time. One transaction claims dead letters, stores their messages at the end
 * of their partitions and deletes them: whenever the server or the connection fails, each is in exactly one of both places.
 * A redrive that cannot continue lets the others go first, and fails if that does not change. One step at a time; opened
 * and closed by the server.
 */
public final class Redrives {
    private static final Logger log = LoggerFactory.getLogger(Redrives.class);
    private static final int BATCH = 500;
    private static final long LOOK_EVERY_MS = 500;

    private final Vertx vertx;
    private final Engine engine;
    private final PayloadView payloads;
    private final PayloadCipher cipher;
    private final RedriveRoutines routines;
    private final MessageIds ids = new MessageIds(Clock.SYSTEM::epochMs);
    private final Deferrals deferrals = new Deferrals(Clock.SYSTEM::nowNs);
    private final SessionPool pool;
    private volatile boolean isClosed;
    private boolean wasTroubled;

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
        redrives.goOnIn(LOOK_EVERY_MS);
        return redrives;
    }

    /** Replaces the connection; what is claimed at this moment stays a dead letter. Safe from any thread. */
    public void renew() {
        pool.renew();
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
        pool.withTransaction(step::redriveNext).onSuccess(_ -> step.announce())
                .recover(cause -> hold(step.redriveId, cause)).onComplete(next -> {
                    report(next.cause());
                    goOnIn(next.succeeded() ? Math.min(next.result(), LOOK_EVERY_MS) : LOOK_EVERY_MS);
                });
    }

    /** That redrives cannot be looked for is said once, however long it lasts. */
    private void report(Throwable trouble) {
        if (trouble != null && !wasTroubled && !isClosed) {
            log.warn("redrive step failed, will retry: {}", messageOf(trouble));
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

    /** Whether the redrive itself failed, and not PostgreSQL or an operator kept it from continuing. */
    private static boolean isFault(Throwable cause) {
        return !(cause instanceof NotNow) && switch (SqlFailure.of(cause)) {
            case LOST, UNABLE, TRANSIENT, OUTDATED -> false;
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
        private OpenedLetters letters;

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
            letters = new OpenedLetters(claimed, ids, payloads, cipher);
            if (letters.firstUnopened() != null && deferrals.isLeft(redriveId, claimed.getFirst())) {
                return Future.failedFuture(new NotNow(letters.firstUnopened()));
            }
            return routines.move(connection, letters)
                    .compose(_ -> routines.finish(connection, claimed, letters.errors()));
        }

        /** After the commit: counts the stored messages and wakes the consumers of their partitions. */
        void announce() {
            if (letters == null) {
                return;
            }
            Map<DeadLetter.Target, Integer> stored = new LinkedHashMap<>();
            letters.movable().forEach(i -> stored.merge(letters.letter(i).target(), 1, Integer::sum));
            stored.forEach(
                    (target, count) -> engine.submit(new RedrivenCommand(target.queue(), target.partition(), count)));
        }
    }
}
