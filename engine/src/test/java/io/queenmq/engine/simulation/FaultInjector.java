package io.queenmq.engine.simulation;

import io.queenmq.engine.simulation.store.SeekPlace;
import io.queenmq.engine.simulation.store.Store;
import io.queenmq.engine.simulation.store.StoredContent;
import io.vertx.pgclient.PgException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The faults besides those of single calls, one after the other: outages, silent connections, network partitions,
 * crashes, locks, operators.
 */
final class FaultInjector {
    private static final long TICK_NS = 250_000_000;
    private static final long SECOND_NS = 1_000_000_000;
    /** Longer than any request may wait. */
    private static final long LONG_NS = 60 * SECOND_NS;

    private final Simulation simulation;
    private final World world;
    private final Plan plan;
    private final SimulatedPostgres postgres;
    private final SimulatedGroup group;
    private final Store store;
    private final List<Runnable> remedies = new ArrayList<>();

    FaultInjector(Simulation simulation, Plan plan, SimulatedPostgres postgres, SimulatedGroup group, Store store) {
        this.group = group;
        this.simulation = simulation;
        this.world = simulation.world();
        this.plan = plan;
        this.postgres = postgres;
        this.store = store;
    }

    void start() {
        world.after(TICK_NS, this::tick);
    }

    /** Removes all faults: at once, or after a moment if a transaction waits for a lock. */
    void heal() {
        postgres.meet(Faults.NONE);
        postgres.setConnectResult(SimulatedPostgres.ConnectResult.OPEN);
        List.copyOf(remedies).forEach(Runnable::run);
    }

    private void tick() {
        if (simulation.isQuiet()) {
            return;
        }
        if (world.happens(plan.outages())) {
            outage();
        }
        if (world.happens(plan.reverts())) {
            revert();
        }
        if (world.happens(plan.silences())) {
            silence();
        }
        if (world.happens(plan.shardOutages())) {
            shardOutage();
        }
        if (world.happens(plan.shardSilences())) {
            shardSilence();
        }
        if (world.happens(plan.cuts())) {
            cut();
        }
        if (world.happens(plan.crashes())) {
            simulation.crashOne();
        }
        if (world.happens(plan.locks())) {
            lock();
        }
        if (world.happens(plan.defects())) {
            defect();
        }
        if (world.happens(plan.operators())) {
            try {
                operate();
            } catch (PgException locked) {
                // Operators may also find locked rows.
            }
        }
        world.after(TICK_NS, this::tick);
    }

    private void outage() {
        postgres.endAllSessions();
        postgres.setConnectResult(SimulatedPostgres.ConnectResult.REFUSED);
        undoAfter(world.happens(0.2) ? LONG_NS : world.someNs(SECOND_NS / 10, LONG_NS),
                () -> postgres.setConnectResult(SimulatedPostgres.ConnectResult.OPEN));
    }

    /** Loses all changes of the next moments. Some servers detect it later than others. */
    private void revert() {
        Reverts reverts = postgres.reverts();
        Reverts.Savepoint savepoint = reverts.save(simulation.servers());
        boolean isMachine = world.happens(0.2);
        long afterNs = isMachine ? world.someNs(12 * SECOND_NS, 20 * SECOND_NS) : world.someNs(0, 3 * SECOND_NS);
        world.after(afterNs, () -> {
            if (simulation.isQuiet() || !reverts.isCurrent(savepoint)
                    || isMachine && !reverts.isReportedSince(savepoint, simulation.servers())) {
                return;
            }
            // A crash also loses changes that were not flushed.
            boolean isCrash = reverts.hasFlushedNothingSince(savepoint);
            postgres.revertTo(savepoint,
                    isMachine
                            ? Reverts.Kind.MACHINE_SNAPSHOT
                            : isCrash || world.happens(0.5) ? Reverts.Kind.RESTORE : Reverts.Kind.FAILOVER);
            switchOn();
            for (SimulatedServer server : simulation.servers()) {
                if (world.happens(0.4)) {
                    postgres.keepUnavailable(server, true);
                    undoAfter(world.someNs(SECOND_NS / 10, 10 * SECOND_NS),
                            () -> postgres.keepUnavailable(server, false));
                }
            }
        });
    }

    /** Resumes queues and groups that were paused in the earlier state and resumed later. */
    private void switchOn() {
        for (int i = 0; i < plan.queues(); i++) {
            store.operators().pauseQueue("queue-" + i, false);
        }
        store.content().partitions().stream().filter(StoredContent.PartitionState::isPaused)
                .forEach(partition -> store.operators().pausePartition(partition.id(), false));
        store.operators().setPopMaintenance(false);
    }

    private void silence() {
        postgres.silenceAllSessions();
        if (world.happens(0.5)) {
            postgres.setConnectResult(SimulatedPostgres.ConnectResult.SILENT);
            undoAfter(world.someNs(SECOND_NS, 15 * SECOND_NS),
                    () -> postgres.setConnectResult(SimulatedPostgres.ConnectResult.OPEN));
        }
    }

    /** Makes one shard unavailable. */
    private void shardOutage() {
        int shard = world.random().nextInt(plan.shards());
        postgres.endSessions(shard);
        postgres.setConnectResult(shard, SimulatedPostgres.ConnectResult.REFUSED);
        long fromNs = world.nowNs();
        undoAfter(world.someNs(SECOND_NS, LONG_NS), () -> {
            postgres.setConnectResult(shard, SimulatedPostgres.ConnectResult.OPEN);
            simulation.history().away(shard, fromNs, world.nowNs());
        });
    }

    /** Makes the connections to one shard silent. */
    private void shardSilence() {
        int shard = world.random().nextInt(plan.shards());
        postgres.silenceSessions(shard);
        if (world.happens(0.5)) {
            postgres.setConnectResult(shard, SimulatedPostgres.ConnectResult.SILENT);
            undoAfter(world.someNs(SECOND_NS, 15 * SECOND_NS),
                    () -> postgres.setConnectResult(shard, SimulatedPostgres.ConnectResult.OPEN));
        }
    }

    /** Lets a task of one server throw, which must not affect other servers. */
    private void defect() {
        if (world.happens(0.5)) {
            simulation.failInTask();
        } else {
            postgres.makeNextUnreadable();
        }
    }

    /** Cuts the network between servers, but not to PostgreSQL and clients. */
    private void cut() {
        group.setCut(true);
        undoAfter(world.someNs(SECOND_NS / 10, 20 * SECOND_NS), () -> group.setCut(false));
    }

    /** Locks a row in another transaction. */
    private void lock() {
        UUID partition = anyPartition();
        if (partition == null) {
            return;
        }
        if (world.happens(0.5)) {
            store.locks().lockPartition(partition);
            long fromNs = world.nowNs();
            undoAfter(world.someNs(SECOND_NS / 100, LONG_NS), () -> {
                store.locks().unlockPartition(partition);
                simulation.history().locked(partition, fromNs, world.nowNs());
            });
        } else {
            String group = simulation.anyGroup();
            store.locks().lockCursor(partition, group);
            undoAfter(world.someNs(SECOND_NS / 100, LONG_NS), () -> store.locks().unlockCursor(partition, group));
        }
    }

    private void operate() {
        String queue = simulation.anyQueue();
        UUID partition = anyPartition();
        switch (world.random().nextInt(6)) {
            case 0 -> {
                store.operators().pauseQueue(queue, true);
                undoAfter(world.someNs(SECOND_NS / 10, 5 * SECOND_NS),
                        () -> store.operators().pauseQueue(queue, false));
            }
            case 1 -> {
                if (partition != null) {
                    store.operators().pausePartition(partition, true);
                    undoAfter(world.someNs(SECOND_NS / 10, 5 * SECOND_NS),
                            () -> store.operators().pausePartition(partition, false));
                }
            }
            case 2 -> {
                store.operators().setPopMaintenance(true);
                undoAfter(world.someNs(SECOND_NS / 10, 3 * SECOND_NS),
                        () -> store.operators().setPopMaintenance(false));
            }
            case 3, 4 -> {
                if (partition != null) {
                    removeFinished(partition);
                }
            }
            default -> {
                String group = simulation.anyGroup();
                if (store.operators().seekQueue(group, queue, new SeekPlace.Beginning())) {
                    simulation.history().sought(group, queue, world.nowNs());
                }
            }
        }
    }

    /**
     * Removes messages that all groups have finished, or a part of them, like retention, so that their transactionIds can be
     * reused. Upkeep waits after an outage until servers have released undelivered leases, because it ends expired ones.
     */
    private void removeFinished(UUID partition) {
        if (simulation.servers().stream().anyMatch(SimulatedServer::mayHaveUndeliveredLeases)) {
            return;
        }
        long finished = Long.MAX_VALUE;
        for (String group : simulation.readingGroups()) {
            finished = Math.min(finished,
                    store.content().cursors().stream()
                            .filter(cursor -> cursor.partitionId().equals(partition) && cursor.group().equals(group))
                            .mapToLong(StoredContent.CursorState::committed).findFirst().orElse(0));
        }
        store.upkeep().trim(partition, finished);
        simulation.history().removed(partition, finished, world.epochMicros());
    }

    private UUID anyPartition() {
        return store.content().partitionId(simulation.anyQueue(), simulation.anyPartition());
    }

    private void undoAfter(long delayNs, Runnable remedy) {
        Runnable[] once = new Runnable[1];
        once[0] = () -> {
            if (remedies.remove(once[0])) {
                try {
                    remedy.run();
                } catch (PgException locked) {
                    undoAfter(SECOND_NS / 10, remedy);
                }
            }
        };
        remedies.add(once[0]);
        world.after(delayNs, once[0]);
    }
}
