package io.queenmq.engine.simulation;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queenmq.engine.EngineHost;
import io.queenmq.engine.EngineModules;
import io.queenmq.engine.batch.BatchMeters;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.cluster.Transport;
import io.queenmq.engine.connection.Place;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.harness.TestConfig;
import io.queenmq.engine.numbers.ProcessUse;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.engine.spool.MemorySpool;
import io.queenmq.engine.spool.SpoolResources;
import io.queenmq.engine.time.LoopClock;
import io.queenmq.engine.time.Timers;
import io.queenmq.schema.Shards;
import java.util.Collection;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;

/** A simulated server: the real engine, with the clock and the PostgreSQL of the simulation. */
final class SimulatedServer {
    private static final long DISK_NS_MIN = 100_000;
    private static final long DISK_NS_MAX = 50_000_000;
    private static final long CLOCK_JUMPS_EVERY_NS = 10_000_000_000L;
    private static final long CLOCK_ERROR_MS = 2 * 3_600_000;

    private final World world;
    private final SimulatedPostgres postgres;
    private final SimulatedGroup group;
    private final TestConfig config;
    private final MemorySpool spool;
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Timers timers;
    private EngineModules engine;
    private UUID id;
    private boolean isAlive = true;
    private boolean isOpen;
    private int armed;

    /** @param spool the disk of its spool; null if it has none */
    SimulatedServer(World world, SimulatedPostgres postgres, SimulatedGroup group, Map<String, String> settings,
            MemorySpool spool) {
        this.spool = spool;
        this.world = world;
        this.group = group;
        this.postgres = postgres;
        this.config = TestConfig.of(settings);
    }

    /** @param onEnd called when the server ends by itself: it cannot start, or crashes while it works on its disk */
    void start(Runnable onEnd) {
        id = new UUID(world.random().nextLong(), world.random().nextLong());
        timers = new Timers(new VirtualClock());
        ShardConnections connections = new ShardConnections(new Shards(postgres.shards()),
                (shard, durability) -> postgres.sessionsOf(this, shard, durability),
                shard -> new Place("simulated", shard), config.connectTimeout(),
                config.statementTimeout().plusSeconds(5), timers);
        ServerIdentity identity = new ServerIdentity(id, "simulated", 1, "worker", 1, "simulated", world.nowNs());
        Transport transport = group.join(this, id);
        EngineContext context = new EngineContext("api", connections, timers, config.engine(), new BatchMeters(meters));
        EngineHost host = new EngineHost(task -> world.after(0, whileAlive(task)), world.random(),
                spoolResources(onEnd), transport, () -> ProcessUse.UNKNOWN);
        engine = new EngineModules(context, host, identity, new PayloadCipher(config.encryption()), config.cluster(),
                config.reportEvery(), meters);
        transport.listen(engine.peers());
        engine.open().onSuccess(_ -> isOpen = true).onFailure(_ -> onEnd.run());
    }

    private SpoolResources spoolResources(Runnable onEnd) {
        return spool == null
                ? SpoolResources.NONE
                : spool.open(task -> world.after(world.someNs(DISK_NS_MIN, DISK_NS_MAX), whileAlive(() -> {
                    if (!MemorySpool.survives(task)) {
                        onEnd.run();
                    }
                })));
    }

    /** Returns its disk; null if it has no spool. */
    MemorySpool spool() {
        return spool;
    }

    UUID id() {
        return id;
    }

    /** Ends the server abruptly, like kill -9. */
    void crash() {
        isAlive = false;
        group.leave(id);
        postgres.forget(this);
    }

    /** Lets a task of the server throw, among others that are due at the same time. */
    void failInTask() {
        if (isServing()) {
            timers.after(0, () -> {
                throw new SimulatedDefect();
            });
        }
    }

    /** Returns true if requests are served. */
    boolean isServing() {
        return isAlive && isOpen;
    }

    boolean isAlive() {
        return isAlive;
    }

    EngineModules engine() {
        return engine;
    }

    /** Returns the task, which has no effect after a crash of the server. */
    Runnable whileAlive(Runnable task) {
        return () -> {
            if (isAlive) {
                task.run();
            }
        };
    }

    /** Returns true while the server cannot release leases whose messages were not delivered, or has not released all of them. */
    boolean mayHaveUndeliveredLeases() {
        return isServing() && (!engine.status().isDatabaseConnected()
                || gauges("queen.lease.releases.pending").stream().anyMatch(gauge -> gauge.value() > 0));
    }

    /** Returns the meters with this name. */
    Collection<Gauge> gauges(String name) {
        return meters.get(name).gauges();
    }

    private final class VirtualClock implements LoopClock {
        @Override
        public long nowNs() {
            return world.nowNs();
        }

        @Override
        public long epochMs() {
            return world.epochMs() + clockErrorMs();
        }

        /** The time of day of a server may be wrong by hours, and jumps. */
        private long clockErrorMs() {
            long period = world.nowNs() / CLOCK_JUMPS_EVERY_NS;
            return new SplittableRandom(id.getLeastSignificantBits() + period).nextLong(-CLOCK_ERROR_MS,
                    CLOCK_ERROR_MS);
        }

        @Override
        public Wakeup wakeAfter(long delayMs, Runnable task) {
            boolean[] isCancelled = new boolean[1];
            world.after(delayMs * 1_000_000, whileAlive(() -> {
                if (!isCancelled[0]) {
                    try {
                        task.run();
                    } catch (SimulatedDefect defect) {
                        // An event loop logs an exception of a task, and continues with the next task.
                    }
                }
            }));
            return () -> isCancelled[0] = true;
        }
    }
}
