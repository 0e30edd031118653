package io.queenmq.server.postgres;

import io.queenmq.server.time.Timers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fixed number of connections that keep one promise at commit. One that is lost or silent is replaced as soon as
 * PostgreSQL is back. Owned by the engine loop.
 */
public final class Links implements Link.Supervisor {
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
    /** How long a call is not answered before that is looked into. */
    private static final long SILENCE_NS = 5_000_000_000L;
    /** How long a complaint of PostgreSQL counts, if it does not come again. */
    private static final long UNABLE_NS = 10_000_000_000L;
    /** Then connections are dropped that do not end politely. */
    private static final long CLOSE_WITHIN_NS = 2_000_000_000;
    /** Ends the sessions of calls that were given up while PostgreSQL could not be reached. */
    private static final String END_SESSIONS = """
            select pg_terminate_backend(a.pid, 1000)
            from pg_stat_activity a
            where a.pid = any ($1)
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
    /** Processes of PostgreSQL that may still carry out a call that was given up. */
    private final Set<Integer> left = new HashSet<>();
    private final Set<Link> enquired = new HashSet<>();
    /** Those in whose place another one is open: they end when nothing is under way on them. */
    private final Set<Link> replaced = new HashSet<>();
    private Runnable onSilence = () -> {};
    private Runnable onBack = () -> {};
    private int nextUser;
    private boolean isClosed;
    private String complaint;
    private long complainedNs;

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

    /** Called when a connection turned out to be silent: those of others to the same server may be, too. */
    public void onSilence(Runnable listener) {
        onSilence = listener;
    }

    /** Called when PostgreSQL can be reached, and could not before. */
    public void onBack(Runnable listener) {
        onBack = listener;
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
        if (isClosed) {
            link.close();
        } else if (replaced.contains(link)) {
            retire(link);
        } else if (!link.isLost()) {
            free.push(link);
            offerFree();
        }
    }

    /**
     * Replaces every connection: what it leads to is somewhere else now. Each goes on until another one is open in its place,
     * and nothing is under way on it.
     */
    public void renew() {
        List.copyOf(all).forEach(link -> replace(link, RECONNECT_FIRST_NS));
    }

    private void replace(Link link, long delayNs) {
        if (isClosed || !all.contains(link)) {
            return;
        }
        connect().onSuccess(_ -> {
            replaced.add(link);
            if (free.contains(link)) {
                retire(link);
            }
        }).onFailure(cause -> {
            log.debug("no connection to the other place yet: {}", cause.getMessage());
            timers.after(delayNs, () -> replace(link, Math.min(delayNs * 2, RECONNECT_MAX_NS)));
        });
    }

    private void retire(Link link) {
        all.remove(link);
        free.remove(link);
        link.close();
    }

    /** How long a call may take. */
    public long answerWithinNs() {
        return answerWithinNs;
    }

    /** PostgreSQL says that it cannot do what it is there for, whoever asks. */
    public void unable(String reason) {
        if (complaint() == null) {
            log.error("PostgreSQL cannot work: {}", reason);
        }
        complaint = reason;
        complainedNs = timers.nowNs();
    }

    /** Something succeeded that PostgreSQL was unable to do before. */
    public void able() {
        if (complaint() != null) {
            log.info("PostgreSQL works again");
        }
        complaint = null;
    }

    /** Why PostgreSQL cannot work though it can be reached; null when it can. */
    public String complaint() {
        return complaint != null && timers.nowNs() - complainedNs < UNABLE_NS ? complaint : null;
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
        Promise<Void> closed = Promise.promise();
        timers.after(CLOSE_WITHIN_NS, () -> {
            List.copyOf(all).forEach(link -> link.giveUp("the server is closing"));
            closed.tryComplete();
        });
        Future.join(List.copyOf(all).stream().map(Link::close).toList()).onComplete(_ -> closed.tryComplete());
        return closed.future();
    }

    private void offerFree() {
        for (int i = 0; i < users.size() && !free.isEmpty(); i++) {
            nextUser = (nextUser + 1) % users.size();
            users.get(nextUser).run();
        }
    }

    private Future<Void> connect() {
        return openSession().compose(this::endLeftSessions).map(session -> {
            Link link = new Link(session, timers, Math.min(SILENCE_NS, answerWithinNs), this);
            boolean isBack = all.isEmpty();
            all.add(link);
            giveBack(link);
            if (isBack) {
                onBack.run();
            }
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
                session.result().drop();
            }
        });
        return opened.future();
    }

    /**
     * Before a new connection carries anything: what was given up while PostgreSQL could not be reached may still be
     * carried out, after its repetition. A lease that nobody knows of would hold its lane.
     */
    private Future<Session> endLeftSessions(Session session) {
        if (left.isEmpty()) {
            return Future.succeededFuture(session);
        }
        Integer[] processIds = left.toArray(Integer[]::new);
        return within(connectWithinNs + 1_000_000_000, session,
                session.ask(END_SESSIONS, Tuple.tuple().addValue(processIds))).map(_ -> {
                    left.removeAll(List.of(processIds));
                    return session;
                });
    }

    /** The answer to a call that no link makes; a session that does not give it in time is dropped. */
    private <T> Future<T> within(long withinNs, Session session, Future<T> answer) {
        Promise<T> bounded = Promise.promise();
        Timers.Alarm alarm = timers.after(withinNs, () -> {
            session.drop();
            bounded.tryFail("PostgreSQL did not answer in time");
        });
        answer.onComplete(done -> {
            alarm.cancel();
            if (done.succeeded()) {
                bounded.tryComplete(done.result());
            } else {
                session.drop();
                bounded.tryFail(done.cause());
            }
        });
        return bounded.future();
    }

    @Override
    public void notAnswered(Link link) {
        if (!enquired.add(link)) {
            return;
        }
        long askedNs = link.askedNs();
        boolean mustEnd = timers.nowNs() - askedNs >= answerWithinNs;
        enquire(link.processId(), mustEnd).onSuccess(enquiry -> {
            enquired.remove(link);
            if (enquiry == Enquiry.WORKING) {
                return;
            }
            // The session that was ended may have told so already, and then the link has given up by itself.
            if (link.isBusy() && link.askedNs() == askedNs) {
                if (enquiry == Enquiry.UNREACHABLE) {
                    left.add(link.processId());
                }
                log.warn("a connection to PostgreSQL does not answer and is dropped");
                link.giveUp("PostgreSQL did not answer in time");
            }
            distrust(askedNs);
            onSilence.run();
        });
    }

    /** Asks in another session what became of a call; never fails. */
    private Future<Enquiry> enquire(int processId, boolean mustEnd) {
        return openSession().compose(session -> within(connectWithinNs + 1_000_000_000, session,
                session.ask(Enquiry.SQL, Enquiry.arguments(processId, mustEnd, session.processId())))
                .onSuccess(_ -> session.close()))
                .map(rows -> Enquiry.of(rows, mustEnd))
                // One that says no is there, but cannot tell; then only time decides.
                .otherwise(cause -> cause instanceof PgException && !mustEnd ? Enquiry.WORKING : Enquiry.UNREACHABLE);
    }

    /** Replaces free connections on which nothing was heard since somebody else's went silent. */
    public void distrust() {
        distrust(timers.nowNs() - SILENCE_NS);
    }

    private void distrust(long sinceNs) {
        for (Link link : List.copyOf(all)) {
            if (link.answeredNs() - sinceNs <= 0) {
                if (link.isBusy()) {
                    notAnswered(link);
                } else {
                    link.giveUp("another connection to PostgreSQL went silent");
                }
            }
        }
    }

    @Override
    public void lost(Link link) {
        all.remove(link);
        free.remove(link);
        if (!isClosed && !replaced.remove(link)) {
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
