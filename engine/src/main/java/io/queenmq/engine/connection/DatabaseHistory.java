package io.queenmq.engine.connection;

import io.queenmq.engine.time.Timers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that PostgreSQL has another history than the one from which the cached state was loaded: after a failover to a lagging
 * standby, a restore, or a point-in-time recovery. The history of every new session is compared before the session is used. If
 * it differs, all connections are closed, all cached state is dropped, and calls in flight are repeated. So an answer always
 * belongs to the history of the cached state. Owned by the engine loop.
 */
public final class DatabaseHistory {
    private static final Logger log = LoggerFactory.getLogger(DatabaseHistory.class);
    private static final long NO_REPORT = -1;

    private final Timers timers;
    private final Map<Place, DatabaseIdentity> known = new HashMap<>();
    private final Map<ConnectionPool, Supplier<Place>> connections = new LinkedHashMap<>();
    private final List<Runnable> listeners = new ArrayList<>();
    private long epoch;
    private long confirmedReport = NO_REPORT;
    private @Nullable Change lastChange;

    /**
     * A change of the history.
     *
     * @param number 1 for the first since this server started
     * @param what the difference between the histories, for operators
     */
    public record Change(long number, String what, long atMicros) {}

    public DatabaseHistory(Timers timers) {
        this.timers = timers;
    }

    /** @param place returns the current address of the server */
    void add(ConnectionPool pool, Supplier<Place> place) {
        connections.put(pool, place);
    }

    /** Adds a listener, which must drop all state that was loaded from the database. Called while no connection is open. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** Returns the number of changes. State that was read in an earlier epoch is not valid. */
    public long epoch() {
        return epoch;
    }

    /** Returns the last change; null if there was none. */
    public @Nullable Change lastChange() {
        return lastChange;
    }

    /** The report of this server with that number is stored. A database with an earlier report has lost it. */
    public void confirm(long report) {
        confirmedReport = Math.max(confirmedReport, report);
    }

    /** Begins the check of a session. Must be called before the identity of the session is read. */
    IdentityCheck beginCheck(Place place) {
        return new IdentityCheck(place, epoch, confirmedReport, knownAt(place, null));
    }

    /**
     * Data that was read on a checked connection contradicts earlier data of the same database. That happens when PostgreSQL is
     * reverted behind a connection pooler, or to a snapshot of its machine.
     */
    public void contradicted(String what) {
        known.clear();
        change(what, true);
    }

    /** Returns the last identity at that address, or otherwise of the same cluster at another address; null if there is none. */
    private @Nullable DatabaseIdentity knownAt(Place place, @Nullable DatabaseIdentity seen) {
        DatabaseIdentity there = known.get(place);
        if (there != null || seen == null) {
            return there;
        }
        return known.values().stream().filter(seen::isSameCluster).findFirst().orElse(null);
    }

    private boolean isConnectedAt(Place place) {
        return connections.entrySet().stream()
                .anyMatch(each -> each.getKey().isConnected() && each.getValue().get().equals(place));
    }

    /** @param isSamePostmaster true if calls in flight on the old connections may still be executed */
    private void change(String what, boolean isSamePostmaster) {
        log.warn("database history changed ({}): closing all connections and dropping all cached state", what);
        epoch++;
        confirmedReport = NO_REPORT;
        lastChange = new Change(epoch, what, timers.epochMicros());
        // No call must fail before all connections are closed and all state is dropped, because failure handlers would use them.
        List<Connection> abandoned = new ArrayList<>();
        connections.keySet().forEach(connections -> abandoned.addAll(connections.abandon(isSamePostmaster)));
        listeners.forEach(Runnable::run);
        abandoned.forEach(Connection::failAbandoned);
    }

    /**
     * The state when the identity of a session was requested. The identity may be older than state that is recorded meanwhile.
     */
    final class IdentityCheck {
        private final Place place;
        private final long epochBefore;
        private final long reportBefore;
        private final @Nullable DatabaseIdentity before;

        private IdentityCheck(Place place, long epochBefore, long reportBefore, @Nullable DatabaseIdentity before) {
            this.place = place;
            this.epochBefore = epochBefore;
            this.reportBefore = reportBefore;
            this.before = before;
        }

        /**
         * Compares the identity of the session. If the history differs, changes the history to that of the session. Returns why
         * the session cannot be used, or null if it can. The caller must use the session at once, or begin another check.
         */
        @Nullable
        String admit(DatabaseIdentity seen) {
            if (seen.isStandby()) {
                return "PostgreSQL is a standby, which accepts no writes";
            }
            if (epochBefore != epoch) {
                return "the database history changed while the connection was opened";
            }
            DatabaseIdentity earlier = before != null ? before : knownWithoutPosition(seen);
            if (earlier != null && seen.isBefore(earlier) && isConnectedAt(place)) {
                return "PostgreSQL is on timeline " + seen.timeline()
                        + ", which ended: other connections are on timeline " + earlier.timeline();
            }
            String difference = earlier == null ? null : seen.differenceFrom(earlier);
            if (difference == null && isReportLost(seen)) {
                difference = "report of this server " + reportBefore + " -> " + seen.report();
            }
            if (difference == null) {
                known.merge(place, seen, (one, other) -> one.isBehind(other) ? other : one);
            } else {
                known.put(place, seen);
                change(difference, earlier == null || seen.isSamePostmaster(earlier));
            }
            return null;
        }

        /** For an address that was unknown when the check began. Another session may have been admitted meanwhile. */
        private @Nullable DatabaseIdentity knownWithoutPosition(DatabaseIdentity seen) {
            DatabaseIdentity found = knownAt(place, seen);
            return found == null ? null : found.withoutPosition();
        }

        /** Returns true if a confirmed report is missing. Only sessions of the catalog read the report. */
        private boolean isReportLost(DatabaseIdentity seen) {
            return reportBefore != NO_REPORT && seen.report() != null && seen.report() < reportBefore;
        }
    }
}
