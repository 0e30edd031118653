package io.queenmq.engine.simulation;

import io.queenmq.engine.connection.DatabaseIdentity;
import io.queenmq.engine.simulation.store.Backup;
import io.queenmq.engine.simulation.store.Store;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The history of the simulated database, and the moments at which it returned to an earlier state. */
final class Reverts {
    /** The way in which a database returns to an earlier state, which determines how servers can detect it. */
    enum Kind {
        /** A standby that lags is promoted. */
        FAILOVER,
        /** The files of a backup are restored; the timeline is the same. */
        RESTORE,
        /** The machine returns to a snapshot: the same process, started at the same moment. */
        MACHINE_SNAPSHOT
    }

    private final World world;
    private final Store store;
    private final List<Revert> all = new ArrayList<>();
    private int timeline = 1;
    private OffsetDateTime startedAt;
    private long position;
    private long flushes;

    Reverts(World world, Store store) {
        this.world = world;
        this.store = store;
        this.startedAt = now(0);
    }

    /**
     * A state to which the database may return.
     *
     * @param flushes the number of flushed calls
     * @param reports the last report of each server
     * @param reverts the number of previous returns to an earlier state
     */
    record Savepoint(Backup backup, long atNs, int timeline, OffsetDateTime startedAt, long position, long flushes,
            Map<SimulatedServer, Long> reports, int reverts) {}

    /** A return to an earlier state, and the time at which each running server connected again. */
    record Revert(long savedNs, long revertedNs, Map<SimulatedServer, Long> noticedNs) {
        /** Returns true if a server may still respond from lost state. */
        boolean isUnnoticed(SimulatedServer server, long atNs) {
            return atNs <= noticedNs.getOrDefault(server, Long.MAX_VALUE);
        }

        /** Returns true if changes between the two times were lost. */
        boolean mayHaveLost(long fromNs, long toNs, SimulatedServer server) {
            return toNs >= savedNs && isUnnoticed(server, fromNs);
        }
    }

    Savepoint save(List<SimulatedServer> servers) {
        Map<SimulatedServer, Long> reports = new HashMap<>();
        servers.forEach(server -> reports.put(server, store.reportOf(server.id())));
        return new Savepoint(store.backup(), world.nowNs(), timeline, startedAt, position, flushes, reports,
                all.size());
    }

    /** Returns true if the savepoint belongs to the current history. */
    boolean isCurrent(Savepoint savepoint) {
        return savepoint.reverts == all.size();
    }

    /**
     * Returns true if every server knows that one of its reports was stored since. Only reports reveal that a machine
     * returned to a snapshot. Reports are sent one at a time, so after two of them the first is confirmed.
     */
    boolean isReportedSince(Savepoint savepoint, List<SimulatedServer> servers) {
        return servers.stream()
                .allMatch(server -> store.reportOf(server.id()) >= savepoint.reports.getOrDefault(server, 0L) + 2);
    }

    /** Records an executed call. */
    void wrote(boolean isFlushed) {
        position++;
        flushes += isFlushed ? 1 : 0;
    }

    /** Returns true if nothing was flushed since: a crash may lose later changes. */
    boolean hasFlushedNothingSince(Savepoint savepoint) {
        return savepoint.flushes == flushes;
    }

    void revertTo(Savepoint savepoint, Kind kind) {
        store.revertTo(savepoint.backup);
        all.add(new Revert(savepoint.atNs, world.nowNs(), new HashMap<>()));
        position = savepoint.position;
        switch (kind) {
            case FAILOVER -> {
                timeline++;
                startedAt = now(1);
            }
            case RESTORE -> {
                timeline = savepoint.timeline;
                startedAt = now(2);
            }
            case MACHINE_SNAPSHOT -> {
                timeline = savepoint.timeline;
                startedAt = savepoint.startedAt;
            }
        }
    }

    /**
     * Records that a session of the server has read the identity after these reverts. From now on the server must not
     * respond from lost state.
     */
    void noticed(SimulatedServer server, int reverts) {
        all.subList(0, reverts).forEach(revert -> revert.noticedNs.putIfAbsent(server, world.nowNs()));
    }

    /** Returns the identity that a session reads. */
    DatabaseIdentity identityFor(UUID serverId, int node) {
        return new DatabaseIdentity((long) node, timeline, startedAt, position, store.reportOf(serverId), false);
    }

    List<Revert> all() {
        return all;
    }

    /** Returns true if changes of a server between two times may be lost. */
    boolean mayHaveLost(long fromNs, long toNs, SimulatedServer server) {
        return all.stream().anyMatch(revert -> revert.mayHaveLost(fromNs, toNs, server));
    }

    private OffsetDateTime now(long extraMs) {
        return OffsetDateTime.ofInstant(Instant.ofEpochMilli(world.epochMs() + extraMs), ZoneOffset.UTC);
    }
}
