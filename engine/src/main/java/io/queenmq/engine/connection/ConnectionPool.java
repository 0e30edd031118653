package io.queenmq.engine.connection;

import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fixed number of connections that keep one promise at commit. One that is lost or silent is replaced as soon as
 * PostgreSQL is back. Owned by the engine loop.
 */
public final class ConnectionPool implements Connection.Supervisor {
    /** Whether a commit waits until it is flushed to disk. */
    public enum Durability {
        /** For everything somebody is told has been stored. */
        FLUSHED,
        /** For leases and reads: what a crash undoes is only a redelivery. */
        RELAXED
    }

    private static final Logger log = LoggerFactory.getLogger(ConnectionPool.class);
    private static final long RECONNECT_FIRST_NS = 50_000_000;
    private static final long RECONNECT_MAX_NS = 1_000_000_000;
    /** How long a call is not answered before that is looked into. */
    private static final long SILENCE_NS = 5_000_000_000L;
    /** Then connections are dropped that do not end politely. */
    private static final long CLOSE_WITHIN_NS = 2_000_000_000;

    private final TimedSessions sessions;
    private final Timers timers;
    private final long answerWithinNs;
    private final int size;
    private final ArrayDeque<Connection> free = new ArrayDeque<>();
    private final Set<Connection> all = new LinkedHashSet<>();
    private final List<Runnable> users = new ArrayList<>();
    private final LostSessions lostSessions;
    private final Complaint complaint;
    private final Set<Connection> enquired = new HashSet<>();
    /** Those whose call cannot end, and whose requests do not wait for it any longer. */
    private final Set<Connection> detached = new HashSet<>();
    /** New ones that have not committed anything yet. */
    private final Set<Connection> unconfirmed = new HashSet<>();
    /** Those in whose place another one is open: they end when nothing is under way on them. */
    private final Set<Connection> replaced = new HashSet<>();
    private Runnable onSilence = () -> {};
    private Runnable onBack = () -> {};
    private UnaryOperator<String> onSchemaMissing = UnaryOperator.identity();
    private int nextUser;
    private boolean isClosed;

    /**
     * @param place where its sessions lead to at the moment
     * @param history closes all connections when a new session reaches a database with another history
     * @param connectWithin how long opening a session may take
     * @param answerWithin how long a call may take; a session that does not answer it is given up
     */
    public ConnectionPool(Sessions sessions, Supplier<Place> place, DatabaseHistory history, Duration connectWithin,
            Duration answerWithin, int size, Timers timers) {
        this.sessions = new TimedSessions(sessions, () -> history.ask(place.get()), connectWithin.toNanos(), timers);
        this.timers = timers;
        this.size = size;
        this.answerWithinNs = answerWithin.toNanos();
        this.complaint = new Complaint(timers);
        this.lostSessions = new LostSessions(answerWithinNs, timers);
        history.add(this, place);
    }

    /** Called when a connection turned out to be silent: those of others to the same server may be, too. */
    public void onSilence(Runnable listener) {
        onSilence = listener;
    }

    /** Called when PostgreSQL can be reached, and could not before. */
    public void onBack(Runnable listener) {
        onBack = listener;
    }

    /**
     * Called with PostgreSQL's words when routines or tables of this release are missing; returns the reason for operators.
     */
    public void onSchemaMissing(UnaryOperator<String> listener) {
        onSchemaMissing = listener;
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

    /**
     * A free connection, or null. There is none while a commit cannot end: another call would wait like it, and so many
     * sessions wait at most as were busy when that began.
     */
    public Connection tryTake() {
        return isStalled() ? null : free.poll();
    }

    /** Whether a call cannot end, though PostgreSQL is there: its commit waits for a synchronous standby. */
    public boolean isStalled() {
        return complaint.isReplicating() && !detached.isEmpty();
    }

    public void giveBack(Connection connection) {
        if (connection.isDetached()) {
            return;
        }
        if (isClosed) {
            connection.close();
        } else if (replaced.contains(connection)) {
            retire(connection);
        } else if (!connection.isLost()) {
            free.push(connection);
            offerFree();
        }
    }

    /**
     * Replaces every connection: what it leads to is somewhere else now. Each goes on until another one is open in its place,
     * and nothing is under way on it.
     */
    public void renew() {
        List.copyOf(all).forEach(connection -> replace(connection, RECONNECT_FIRST_NS));
    }

    private void replace(Connection connection, long delayNs) {
        if (isClosed || !all.contains(connection)) {
            return;
        }
        connect().onSuccess(_ -> {
            replaced.add(connection);
            if (free.contains(connection)) {
                retire(connection);
            }
        }).onFailure(cause -> {
            log.debug("no connection to the other place yet: {}", cause.getMessage());
            timers.after(delayNs, () -> replace(connection, Math.min(delayNs * 2, RECONNECT_MAX_NS)));
        });
    }

    private void retire(Connection connection) {
        all.remove(connection);
        free.remove(connection);
        connection.close();
    }

    /** How long a call may take. */
    public long answerWithinNs() {
        return answerWithinNs;
    }

    /** PostgreSQL says that it cannot do what it is there for, whoever asks. */
    public void unable(String reason) {
        complaint.unable(reason);
    }

    /**
     * Reports that routines or tables of this release are missing from the database.
     *
     * @return the reason to report for the calls that need them
     */
    public String schemaMissing(String message) {
        return onSchemaMissing.apply(message);
    }

    /** Something succeeded that PostgreSQL was unable to do before. */
    public void able() {
        complaint.able();
    }

    /** Why PostgreSQL cannot work though it can be reached; null when it can. */
    public String complaint() {
        return complaint.text();
    }

    public boolean isConnected() {
        return !all.isEmpty();
    }

    /**
     * Whether no lost call can still be executed. A call whose outcome is unknown must not be repeated, and its effect must not
     * be undone, before that.
     */
    public boolean isSettled() {
        return lostSessions.isEmpty() && detached.isEmpty();
    }

    public int busyCount() {
        return all.size() - free.size();
    }

    public int size() {
        return size;
    }

    public Future<Void> close() {
        isClosed = true;
        sessions.close();
        Promise<Void> closed = Promise.promise();
        timers.after(CLOSE_WITHIN_NS, () -> {
            List.copyOf(all).forEach(connection -> connection.giveUp("the server is closing"));
            closed.tryComplete();
        });
        Future.join(List.copyOf(all).stream().map(Connection::close).toList()).onComplete(_ -> closed.tryComplete());
        return closed.future();
    }

    private void offerFree() {
        endLostSessions();
        for (int i = 0; i < users.size() && !free.isEmpty(); i++) {
            nextUser = (nextUser + 1) % users.size();
            users.get(nextUser).run();
        }
    }

    private Future<Void> connect() {
        return sessions.open().compose(this::confirm).map(connection -> {
            boolean isBack = all.isEmpty();
            all.add(connection);
            giveBack(connection);
            if (isBack) {
                onBack.run();
            }
            return null;
        });
    }

    /**
     * Commits on a new connection before it is used, and compares its history. PostgreSQL may have restarted, and then shows
     * commits that no standby has. This waits for as long as the standby takes, because every other attempt would add a session
     * that waits.
     */
    private Future<Connection> confirm(Session session) {
        Connection connection = new Connection(session, timers, Math.min(SILENCE_NS, answerWithinNs), this);
        unconfirmed.add(connection);
        // A commit may fail on a standby or a full disk; what follows reports that.
        return connection.call(Replication.CONFIRM, Tuple.tuple()).onSuccess(_ -> replicated())
                .transform(_ -> sessions.admit(session, connection::isLost)).map(_ -> {
                    unconfirmed.remove(connection);
                    return connection;
                }).onFailure(cause -> connection.giveUp(cause.getMessage()));
    }

    private void replicated() {
        if (detached.isEmpty()) {
            complaint.setReplicating(false);
        }
    }

    /** Drops and returns all connections. Their calls are still to be failed; another postmaster will not carry them out. */
    List<Connection> abandon(boolean isSamePostmaster) {
        List<Connection> abandoned = List.copyOf(all);
        abandoned.forEach(Connection::abandon);
        if (!isSamePostmaster) {
            lostSessions.clear();
        }
        return abandoned;
    }

    /** Ends the sessions of lost calls on a free connection, before that connection carries anything else. */
    private void endLostSessions() {
        Connection connection = isClosed || isStalled() || !lostSessions.isDue() ? null : free.poll();
        if (connection != null) {
            lostSessions.end(connection).onComplete(_ -> {
                if (!lostSessions.isEmpty()) {
                    timers.after(LostSessions.END_AGAIN_NS, this::endLostSessions);
                }
                giveBack(connection);
            });
        }
    }

    @Override
    public void notAnswered(Connection connection) {
        if (!enquired.add(connection)) {
            return;
        }
        long askedNs = connection.askedNs();
        boolean mustEnd = timers.nowNs() - askedNs >= answerWithinNs;
        sessions.enquire(connection.processId(), mustEnd).onSuccess(enquiry -> {
            enquired.remove(connection);
            switch (enquiry) {
                case WORKING -> {
                    return;
                }
                case COMMITTING, REPLICATING -> {
                    onUnended(connection, enquiry);
                    return;
                }
                case ENDED, UNREACHABLE -> {
                }
            }
            // The session that was ended may have told so already, and then the connection has given up by itself.
            if (connection.isBusy() && connection.askedNs() == askedNs) {
                log.warn("a connection to PostgreSQL does not answer and is dropped");
                connection.giveUp("PostgreSQL did not answer in time");
            }
            distrust(askedNs);
            onSilence.run();
        });
    }

    /** A call that PostgreSQL works on is waited for; one that only commits keeps its requests waiting no longer. */
    private void onUnended(Connection connection, Enquiry enquiry) {
        complaint.setReplicating(complaint.isReplicating() || enquiry == Enquiry.REPLICATING);
        if (enquiry != Enquiry.WORKING && all.contains(connection) && connection.isBusy() && detached.add(connection)) {
            connection.detach(
                    enquiry == Enquiry.REPLICATING ? Replication.COMPLAINT : "PostgreSQL did not answer in time");
        }
    }

    @Override
    public void answeredLate(Connection connection) {
        detached.remove(connection);
        replicated();
        giveBack(connection);
    }

    /** Replaces free connections on which nothing was heard since somebody else's went silent. */
    public void distrust() {
        distrust(timers.nowNs() - SILENCE_NS);
    }

    private void distrust(long sinceNs) {
        for (Connection connection : List.copyOf(all)) {
            if (connection.answeredNs() - sinceNs <= 0) {
                if (connection.isBusy()) {
                    notAnswered(connection);
                } else {
                    connection.giveUp("another connection to PostgreSQL went silent");
                }
            }
        }
    }

    @Override
    public void lost(Connection connection, boolean isUnanswered) {
        all.remove(connection);
        free.remove(connection);
        detached.remove(connection);
        boolean wasUnconfirmed = unconfirmed.remove(connection);
        if (detached.isEmpty() && unconfirmed.isEmpty()) {
            complaint.setReplicating(false);
        }
        if (wasUnconfirmed) {
            return;
        }
        if (isUnanswered) {
            lostSessions.add(connection.processId(), connection.askedNs());
            // Not at once: free connections may be about to be dropped, too.
            timers.after(0, this::endLostSessions);
        }
        if (!isClosed && !replaced.remove(connection)) {
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
