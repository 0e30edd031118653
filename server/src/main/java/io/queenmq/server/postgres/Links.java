package io.queenmq.server.postgres;

import io.queenmq.server.time.Timers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fixed number of connections that keep one promise at commit. A lost one is replaced as soon as PostgreSQL is back.
 * Owned by the engine loop.
 */
public final class Links {
    /** Whether a commit waits until it is flushed to disk. */
    public enum Durability {
        /** For everything somebody is told has been stored. */
        FLUSHED,
        /** For leases and reads: what a crash undoes is only a redelivery. */
        RELAXED
    }

    private static final Logger log = LoggerFactory.getLogger(Links.class);
    private static final long RECONNECT_FIRST_NS = 50_000_000;
    private static final long RECONNECT_MAX_NS = 1_000_000_000;
    /** Then whoever waits for the answer is more important. */
    private static final long END_SESSION_WITHIN_NS = 10_000_000_000L;
    /** Only one of this server's kind: the number of a process may have been given to another one. */
    private static final String END_SESSION = """
            select pg_terminate_backend(a.pid, 1000)
            from pg_stat_activity a
            where a.pid = $1
              and a.usename = current_user
              and a.datname = current_database()
              and a.application_name = current_setting('application_name')""";

    private final Sessions sessions;
    private final Timers timers;
    private final long connectWithinNs;
    private final long answerWithinNs;
    private final int size;
    private final ArrayDeque<Link> free = new ArrayDeque<>();
    private final Set<Link> all = new LinkedHashSet<>();
    private final List<Runnable> users = new ArrayList<>();
    private int nextUser;
    private boolean isClosed;

    /**
     * @param connectWithin how long opening a session may take
     * @param answerWithin how long a call may take; a session that does not answer it is given up
     */
    public Links(Sessions sessions, Duration connectWithin, Duration answerWithin, int size, Timers timers) {
        this.sessions = sessions;
        this.timers = timers;
        this.size = size;
        this.connectWithinNs = connectWithin.toNanos();
        this.answerWithinNs = answerWithin.toNanos();
    }

    /** Completes when every connection is up; one that a busy PostgreSQL does not give in time is asked for again. */
    public Future<Void> open() {
        List<Future<?>> opened = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            opened.add(connectAtLast(RECONNECT_FIRST_NS));
        }
        return Future.all(opened).mapEmpty();
    }

    private Future<Void> connectAtLast(long delayNs) {
        return connect().recover(cause -> {
            if (isClosed || SqlFailure.of(cause) != SqlFailure.LOST) {
                return Future.failedFuture(cause);
            }
            log.warn("PostgreSQL gives no connection yet: {}", cause.getMessage());
            Promise<Void> connected = Promise.promise();
            timers.after(delayNs, () -> connectAtLast(Math.min(delayNs * 2, RECONNECT_MAX_NS)).onComplete(connected));
            return connected.future();
        });
    }

    /** The task is run, in turn with those of other users, whenever a connection is free. */
    public void addUser(Runnable onFree) {
        users.add(onFree);
    }

    /** A free connection, or null. */
    public Link tryTake() {
        return free.poll();
    }

    public void giveBack(Link link) {
        if (link.isLost() || isClosed) {
            link.close();
            return;
        }
        free.push(link);
        offerFree();
    }

    public boolean isConnected() {
        return !all.isEmpty();
    }

    public int busyCount() {
        return all.size() - free.size();
    }

    public int size() {
        return size;
    }

    public Future<Void> close() {
        isClosed = true;
        return Future.join(all.stream().map(Link::close).toList()).<Void>mapEmpty().otherwiseEmpty();
    }

    private void offerFree() {
        for (int i = 0; i < users.size() && !free.isEmpty(); i++) {
            nextUser = (nextUser + 1) % users.size();
            users.get(nextUser).run();
        }
    }

    private Future<Void> connect() {
        return openSession().map(session -> {
            add(new Link(session, timers, answerWithinNs, this::endSession));
            return null;
        });
    }

    private Future<Session> openSession() {
        Promise<Session> opened = Promise.promise();
        Timers.Alarm alarm = timers.after(connectWithinNs,
                () -> opened.tryFail("PostgreSQL did not accept a connection in time"));
        sessions.open().onComplete(session -> {
            alarm.cancel();
            if (session.failed()) {
                opened.tryFail(session.cause());
            } else if (isClosed || !opened.tryComplete(session.result())) {
                session.result().close();
            }
        });
        return opened.future();
    }

    private Future<Void> endSession(int processId) {
        Promise<Void> ended = Promise.promise();
        timers.after(END_SESSION_WITHIN_NS, ended::tryComplete);
        tryToEnd(processId, ended);
        return ended.future();
    }

    private void tryToEnd(int processId, Promise<Void> ended) {
        if (isClosed || ended.future().isComplete()) {
            ended.tryComplete();
            return;
        }
        openSession().compose(session -> session.call(END_SESSION, Tuple.of(processId)).eventually(session::close))
                .onComplete(done -> {
                    if (done.succeeded()) {
                        ended.tryComplete();
                    } else {
                        timers.after(RECONNECT_FIRST_NS, () -> tryToEnd(processId, ended));
                    }
                });
    }

    private void add(Link link) {
        all.add(link);
        link.onClose(() -> onLost(link));
        giveBack(link);
    }

    private void onLost(Link link) {
        all.remove(link);
        free.remove(link);
        if (!isClosed) {
            log.warn("connection to PostgreSQL lost, {} of {} left", all.size(), size);
            reconnectAfter(RECONNECT_FIRST_NS);
        }
    }

    private void reconnectAfter(long delayNs) {
        timers.after(delayNs, () -> {
            if (!isClosed) {
                connect().onFailure(cause -> {
                    log.debug("PostgreSQL is not back yet: {}", cause.getMessage());
                    reconnectAfter(Math.min(delayNs * 2, RECONNECT_MAX_NS));
                });
            }
        });
    }
}
