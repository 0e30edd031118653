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
    /** How a database returns to an earlier state, which decides what servers can see of it. */
    enum Kind {
        /** A standby that lags is promoted. */
        FAILOVER,
        /** The files of a backup are put in place; the timeline stays. */
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
     * @param flushes how many calls had been flushed
     * @param reports the last report of each server
     * @param reverts how often the database had returned to an earlier state
     */
    record Savepoint(Backup backup, long atNs, int timeline, OffsetDateTime startedAt, long position, long flushes,
            Map<SimulatedServer, Long> reports, int reverts) {}

    /** A return to an earlier state, and when each server that was there connected to the database again. */
    record Revert(long savedNs, long revertedNs, Map<SimulatedServer, Long> noticedNs) {
        /** Whether a server may still answer by what was lost. */
        boolean isUnnoticed(SimulatedServer server, long atNs) {
            return atNs <= noticedNs.getOrDefault(server, Long.MAX_VALUE);
        }

        /** Whether something was lost that took effect between the two moments. */
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

    /** Whether it is of the current history, to which nothing leads back that was lost. */
    boolean isCurrent(Savepoint savepoint) {
        return savepoint.reverts == all.size();
    }

    /**
     * Whether every server knows that a report of its own was stored since. Nothing else may tell that a machine returned to
     * a snapshot. Reports are made one at a time, so after two of them the first is known.
     */
    boolean isReportedSince(Savepoint savepoint, List<SimulatedServer> servers) {
        return servers.stream().allMatch(
                server -> store.reportOf(server.id()) >= savepoint.reports.getOrDefault(server, 0L) + 2);
    }

    /** A call was carried out. */
    void wrote(boolean isFlushed) {
        position++;
        flushes += isFlushed ? 1 : 0;
    }

    /** Whether nothing was flushed since: a crash may lose what came later. */
    boolean isNothingFlushedSince(Savepoint savepoint) {
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

    /** A session of the server has read its identity after so many reverts: it must not answer by what was lost any more. */
    void noticed(SimulatedServer server, int reverts) {
        all.subList(0, reverts).forEach(revert -> revert.noticedNs.putIfAbsent(server, world.nowNs()));
    }

    /** What a session of a server reads. */
    DatabaseIdentity identityFor(UUID serverId, int node) {
        return new DatabaseIdentity((long) node, timeline, startedAt, position, store.reportOf(serverId), false);
    }

    List<Revert> all() {
        return all;
    }

    /** Whether what a server did between two moments may be lost. */
    boolean mayHaveLost(long fromNs, long toNs, SimulatedServer server) {
        return all.stream().anyMatch(revert -> revert.mayHaveLost(fromNs, toNs, server));
    }

    private OffsetDateTime now(long extraMs) {
        return OffsetDateTime.ofInstant(Instant.ofEpochMilli(world.epochMs() + extraMs), ZoneOffset.UTC);
    }
}
