package io.queenmq.engine.connection;

import io.queenmq.engine.time.Timers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that PostgreSQL has another history than the one from which state in memory was loaded: after a failover to a
 * standby that lags, a restore, or a point-in-time recovery. Every new session is compared before it is used. When the
 * history differs, all connections are closed, all state loaded through them is dropped, and calls under way are repeated.
 * So an answer is always of the history that the state in memory is of. Owned by the engine loop.
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
    private Change lastChange;

    /**
     * A change of the history.
     *
     * @param number 1 for the first since this server started
     * @param what in which way the histories differ, for operators
     */
    public record Change(long number, String what, long atMicros) {}

    public DatabaseHistory(Timers timers) {
        this.timers = timers;
    }

    /** @param place where the connections lead to at the moment */
    void add(ConnectionPool pool, Supplier<Place> place) {
        connections.put(pool, place);
    }

    /** The listener drops all state that was loaded from the database. Called while no connection is open. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** Counts the changes. What was read in an earlier epoch says nothing about the database as it is now. */
    public long epoch() {
        return epoch;
    }

    /** The last change; null when there was none. */
    public Change lastChange() {
        return lastChange;
    }

    /** The report of this server with that number is stored. A database that has an earlier one has lost it. */
    public void confirm(long report) {
        confirmedReport = Math.max(confirmedReport, report);
    }

    /** Must be called before a session at that place is asked for its identity. */
    Question ask(Place place) {
        return new Question(place, epoch, confirmedReport, knownAt(place, null));
    }

    /**
     * Something was read that contradicts what this database confirmed earlier, on a connection that was compared before.
     * That happens when PostgreSQL is reverted behind a connection pooler, or to a snapshot of its machine.
     */
    public void contradicted(String what) {
        known.clear();
        change(what, true);
    }

    /** The identity last seen at that place, or else of the same cluster at another one; null when there is none. */
    private DatabaseIdentity knownAt(Place place, DatabaseIdentity seen) {
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

    /** @param isSamePostmaster whether calls under way on the old connections may still be carried out */
    private void change(String what, boolean isSamePostmaster) {
        log.warn("database history changed ({}): closing all connections and dropping all cached state", what);
        epoch++;
        confirmedReport = NO_REPORT;
        lastChange = new Change(epoch, what, timers.epochMicros());
        // No call fails before all connections are closed and all state is dropped: what follows from the failure would use them.
        List<Connection> abandoned = new ArrayList<>();
        connections.keySet().forEach(connections -> abandoned.addAll(connections.abandon(isSamePostmaster)));
        listeners.forEach(Runnable::run);
        abandoned.forEach(Connection::failAbandoned);
    }

    /** What was known when a session was asked for its identity: its answer may be older than what is known afterwards. */
    final class Question {
        private final Place place;
        private final long askedIn;
        private final long reportBefore;
        private final DatabaseIdentity before;

        private Question(Place place, long askedIn, long reportBefore, DatabaseIdentity before) {
            this.place = place;
            this.askedIn = askedIn;
            this.reportBefore = reportBefore;
            this.before = before;
        }

        /**
         * Admits a session to the history, or begins another one with it. Returns why it cannot be used, or null. The caller uses
         * the session at once, or asks again.
         */
        String admit(DatabaseIdentity seen) {
            if (seen.isStandby()) {
                return "PostgreSQL is a standby, which accepts no writes";
            }
            if (askedIn != epoch) {
                return "the database history changed while the connection was opened";
            }
            DatabaseIdentity earlier = before != null ? before : knownWithoutPosition(seen);
            if (earlier != null && seen.isBefore(earlier) && isConnectedAt(place)) {
                return "PostgreSQL is on timeline " + seen.timeline()
                        + ", which ended: other connections are on timeline "
                        + earlier.timeline();
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

        /** For a place that was not known when the session was asked: a session that was asked later may have answered first. */
        private DatabaseIdentity knownWithoutPosition(DatabaseIdentity seen) {
            DatabaseIdentity found = knownAt(place, seen);
            return found == null ? null : found.withoutPosition();
        }

        /** Only where the tables of the catalog are, the report is read. */
        private boolean isReportLost(DatabaseIdentity seen) {
            return reportBefore != NO_REPORT && seen.report() != null && seen.report() < reportBefore;
        }
    }
}
