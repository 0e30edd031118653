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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fixed number of connections with the same durability of commits. A lost or silent connection is replaced as soon as
 * PostgreSQL is available. Owned by the engine loop.
 */
public final class ConnectionPool {
    /** The durability of commits: a commit waits for the flush to disk, or not. */
    public enum Durability {
        /** For all data whose storage is confirmed to clients. */
        FLUSHED,
        /** For leases and reads: losing such a commit in a crash causes only redeliveries. */
        RELAXED
    }

    private static final Logger log = LoggerFactory.getLogger(ConnectionPool.class);
    private static final long RECONNECT_FIRST_NS = 50_000_000;
    private static final long RECONNECT_MAX_NS = 1_000_000_000;
    /** The time without an answer after which the session of a call is checked. */
    private static final long SILENCE_NS = 5_000_000_000L;
    /** The time after which connections are dropped that were not closed properly. */
    private static final long CLOSE_WITHIN_NS = 2_000_000_000;

    private final TimedSessions sessions;
    private final Timers timers;
    private final long callTimeoutNs;
    private final int size;
    private final ArrayDeque<Connection> free = new ArrayDeque<>();
    private final Set<Connection> all = new LinkedHashSet<>();
    private final List<Runnable> users = new ArrayList<>();
    private final LostSessions lostSessions;
    private final UnavailableReason unavailable;
    private final Set<Connection> beingChecked = new HashSet<>();
    /** Connections whose call cannot end now, and whose requests no longer wait for it. */
    private final Set<Connection> detached = new HashSet<>();
    /** New connections on which nothing was committed yet. */
    private final Set<Connection> unconfirmed = new HashSet<>();
    /** Connections that were replaced: each is closed when no call is in flight on it. */
    private final Set<Connection> replaced = new HashSet<>();
    private Runnable onSilence = () -> {};
    private Runnable onReconnect = () -> {};
    private UnaryOperator<String> onSchemaMissing = UnaryOperator.identity();
    private int nextUser;
    private boolean isClosed;

    /**
     * @param place returns the current address of the server
     * @param history closes all connections when a new session reaches a database with another history
     * @param connectTimeout the maximum time to open a session
     * @param callTimeout the maximum time of a call; the session is ended after it
     */
    public ConnectionPool(Sessions sessions, Supplier<Place> place, DatabaseHistory history, Duration connectTimeout,
            Duration callTimeout, int size, Timers timers) {
        this.sessions = new TimedSessions(sessions, () -> history.beginCheck(place.get()), connectTimeout.toNanos(),
                timers);
        this.timers = timers;
        this.size = size;
        this.callTimeoutNs = callTimeout.toNanos();
        this.unavailable = new UnavailableReason(timers);
        this.lostSessions = new LostSessions(callTimeoutNs, timers);
        history.add(this, place);
    }

    /** Sets the listener for a silent connection. Connections of other pools to the same server may be silent, too. */
    public void onSilence(Runnable listener) {
        onSilence = listener;
    }

    /** Sets the listener that is called when PostgreSQL is reachable again. */
    public void onReconnect(Runnable listener) {
        onReconnect = listener;
    }

    /** Sets the listener for missing routines or tables. It gets the error of PostgreSQL and returns the reason for operators. */
    public void onSchemaMissing(UnaryOperator<String> listener) {
        onSchemaMissing = listener;
    }

    /** Opens all connections, and completes when all are open. An attempt that is lost or times out is repeated. */
    public Future<Void> open() {
        List<Future<?>> opened = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            opened.add(connectWithRetries(RECONNECT_FIRST_NS));
        }
        return Future.all(opened).mapEmpty();
    }

    private Future<Void> connectWithRetries(long delayNs) {
        return connect().recover(cause -> {
            if (isClosed || SqlFailure.of(cause) != SqlFailure.LOST) {
                return Future.failedFuture(cause);
            }
            log.warn("PostgreSQL connection failed, retrying: {}", cause.getMessage());
            Promise<Void> connected = Promise.promise();
            timers.after(delayNs,
                    () -> connectWithRetries(Math.min(delayNs * 2, RECONNECT_MAX_NS)).onComplete(connected));
            return connected.future();
        });
    }

    /** Adds a task that is run whenever a connection is free. The tasks of all users take turns. */
    public void addUser(Runnable onFree) {
        users.add(onFree);
    }

    /**
     * Returns a free connection; null if there is none, or while a commit cannot end. Another call would wait like that commit,
     * so the number of waiting sessions is limited to those that were busy when the first commit began to wait.
     */
    public @Nullable Connection tryAcquire() {
        return isStalled() ? null : free.poll();
    }

    /** Returns true if PostgreSQL is reachable, but the commit of a call waits for a synchronous standby. */
    public boolean isStalled() {
        return unavailable.isReplicating() && !detached.isEmpty();
    }

    public void release(Connection connection) {
        if (connection.isDetached()) {
            return;
        }
        if (isClosed) {
            connection.close();
        } else if (replaced.contains(connection)) {
            close(connection);
        } else if (!connection.isLost()) {
            free.push(connection);
            offerFree();
        }
    }

    /** Replaces every connection after a change of the address. Each is closed when its replacement is open and it is idle. */
    public void replaceAll() {
        List.copyOf(all).forEach(connection -> replace(connection, RECONNECT_FIRST_NS));
    }

    private void replace(Connection connection, long delayNs) {
        if (isClosed || !all.contains(connection)) {
            return;
        }
        connect().onSuccess(_ -> {
            replaced.add(connection);
            if (free.contains(connection)) {
                close(connection);
            }
        }).onFailure(cause -> {
            log.debug("connection to the new address failed, retrying: {}", cause.getMessage());
            timers.after(delayNs, () -> replace(connection, Math.min(delayNs * 2, RECONNECT_MAX_NS)));
        });
    }

    private void close(Connection connection) {
        all.remove(connection);
        free.remove(connection);
        connection.close();
    }

    /** Returns the maximum time of a call. */
    public long callTimeoutNs() {
        return callTimeoutNs;
    }

    /** PostgreSQL reports that it cannot execute any call. */
    public void setUnavailable(String reason) {
        unavailable.set(reason);
    }

    /**
     * Reports that routines or tables of this release are missing from the database.
     *
     * @return the reason to report for the calls that need them
     */
    public String schemaMissing(String message) {
        return onSchemaMissing.apply(message);
    }

    /** A call succeeded after PostgreSQL was unavailable. */
    public void setAvailable() {
        unavailable.clear();
    }

    /** Returns why PostgreSQL is unavailable although it can be reached; null if it is available. */
    public @Nullable String unavailableReason() {
        return unavailable.text();
    }

    public boolean isConnected() {
        return !all.isEmpty();
    }

    /**
     * Returns true if no lost call can still be executed. Before that, a call whose outcome is unknown must not be repeated, and
     * its effect must not be undone.
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
            List.copyOf(all).forEach(connection -> connection.abort("the server is closing"));
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
            boolean isFirst = all.isEmpty();
            all.add(connection);
            release(connection);
            if (isFirst) {
                onReconnect.run();
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
        Connection connection = new Connection(session, timers, Math.min(SILENCE_NS, callTimeoutNs), this);
        unconfirmed.add(connection);
        // A commit may fail on a standby or a full disk. The next calls report that.
        return connection.call(Replication.CONFIRM, Tuple.tuple()).onSuccess(_ -> replicated())
                .transform(_ -> sessions.admit(session, connection::isLost)).map(_ -> {
                    unconfirmed.remove(connection);
                    return connection;
                }).onFailure(cause -> connection.abort(SqlFailure.messageOf(cause)));
    }

    private void replicated() {
        if (detached.isEmpty()) {
            unavailable.setReplicating(false);
        }
    }

    /** Drops and returns all connections. The caller must fail their calls. A new postmaster does not execute the calls. */
    List<Connection> abandon(boolean isSamePostmaster) {
        List<Connection> abandoned = List.copyOf(all);
        abandoned.forEach(Connection::abandon);
        if (!isSamePostmaster) {
            lostSessions.clear();
        }
        return abandoned;
    }

    /** Ends the sessions of lost calls on a free connection, before that connection is used for other calls. */
    private void endLostSessions() {
        Connection connection = isClosed || isStalled() || !lostSessions.isDue() ? null : free.poll();
        if (connection != null) {
            lostSessions.end(connection).onComplete(_ -> {
                if (!lostSessions.isEmpty()) {
                    timers.after(LostSessions.END_AGAIN_NS, this::endLostSessions);
                }
                release(connection);
            });
        }
    }

    /** Called every few seconds while a call is not answered. */
    void notAnswered(Connection connection) {
        if (!beingChecked.add(connection)) {
            return;
        }
        long askedNs = connection.askedNs();
        boolean mustEnd = timers.nowNs() - askedNs >= callTimeoutNs;
        sessions.check(connection.processId(), mustEnd).onSuccess(result -> {
            beingChecked.remove(connection);
            switch (result) {
                case WORKING -> {
                    return;
                }
                case COMMITTING, REPLICATING -> {
                    onCommitting(connection, result);
                    return;
                }
                case ENDED, UNREACHABLE -> {
                }
            }
            // The connection may have been lost already, because its session was ended.
            if (connection.isBusy() && connection.askedNs() == askedNs) {
                log.warn("PostgreSQL connection dropped, no answer in time");
                connection.abort("PostgreSQL did not answer in time");
            }
            dropSilent(askedNs);
            onSilence.run();
        });
    }

    /** The session of a silent call is committing: the requests of the call stop waiting, and the connection is kept. */
    private void onCommitting(Connection connection, SilentSessionCheck result) {
        unavailable.setReplicating(unavailable.isReplicating() || result == SilentSessionCheck.REPLICATING);
        if (result != SilentSessionCheck.WORKING && all.contains(connection) && connection.isBusy()
                && detached.add(connection)) {
            connection.detach(result == SilentSessionCheck.REPLICATING
                    ? Replication.WAITING_FOR_STANDBY
                    : "PostgreSQL did not answer in time");
        }
    }

    /** Called when the answer to a detached call arrived: the connection is free again. */
    void answeredLate(Connection connection) {
        detached.remove(connection);
        replicated();
        release(connection);
    }

    /** Drops free connections without an answer since the connection of another pool became silent, and checks busy ones. */
    public void dropSilent() {
        dropSilent(timers.nowNs() - SILENCE_NS);
    }

    private void dropSilent(long sinceNs) {
        for (Connection connection : List.copyOf(all)) {
            if (connection.answeredNs() - sinceNs <= 0) {
                if (connection.isBusy()) {
                    notAnswered(connection);
                } else {
                    connection.abort("another connection to PostgreSQL became silent");
                }
            }
        }
    }

    /** Called once, when the connection was lost. The outcome of an unanswered call is unknown. */
    void lost(Connection connection, boolean isUnanswered) {
        all.remove(connection);
        free.remove(connection);
        detached.remove(connection);
        boolean wasUnconfirmed = unconfirmed.remove(connection);
        if (detached.isEmpty() && unconfirmed.isEmpty()) {
            unavailable.setReplicating(false);
        }
        if (wasUnconfirmed) {
            return;
        }
        if (isUnanswered) {
            lostSessions.add(connection.processId(), connection.askedNs());
            // Later, because free connections may be about to be dropped, too.
            timers.after(0, this::endLostSessions);
        }
        if (!isClosed && !replaced.remove(connection)) {
            log.debug("PostgreSQL connection lost, {} of {} left, reconnecting", all.size(), size);
            reconnectAfter(RECONNECT_FIRST_NS);
        }
    }

    private void reconnectAfter(long delayNs) {
        timers.after(delayNs, () -> {
            if (!isClosed) {
                connect().onFailure(cause -> {
                    log.debug("PostgreSQL reconnect failed, retrying: {}", cause.getMessage());
                    reconnectAfter(Math.min(delayNs * 2, RECONNECT_MAX_NS));
                });
            }
        });
    }
}
