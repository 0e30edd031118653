package io.queenmq.server.simulation;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queenmq.server.cipher.PayloadCipher;
import io.queenmq.server.cluster.Transport;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.config.ServerConfig;
import io.queenmq.server.engine.Rooms;
import io.queenmq.server.numbers.ServerIdentity;
import io.queenmq.server.postgres.Links;
import io.queenmq.server.time.LoopClock;
import io.queenmq.server.time.Timers;
import java.util.Map;
import java.util.UUID;

/** A server as the simulation runs it: the real rooms of the engine, on a clock and a PostgreSQL of the simulation. */
final class SimulatedServer {
    private static final int LINKS = 6;

    private final World world;
    private final SimulatedPostgres postgres;
    private final SimulatedGroup group;
    private final ServerConfig config;
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Timers timers;
    private Rooms rooms;
    private UUID id;
    private boolean isAlive = true;
    private boolean isOpen;
    private int armed;

    SimulatedServer(World world, SimulatedPostgres postgres, SimulatedGroup group, Map<String, String> settings) {
        this.world = world;
        this.group = group;
        this.postgres = postgres;
        this.config = ConfigReader.read(settings);
    }

    /** @param onStartFailed called when the server cannot start, as its process would then end */
    void start(Runnable onStartFailed) {
        timers = new Timers(new VirtualClock());
        var database = config.database();
        Links flushed = new Links(postgres.sessionsOf(this), database.connectTimeout(),
                database.statementTimeout().plusSeconds(5), LINKS, timers);
        Links relaxed = new Links(postgres.sessionsOf(this), database.connectTimeout(),
                database.statementTimeout().plusSeconds(5), LINKS, timers);
        id = new UUID(world.random().nextLong(), world.random().nextLong());
        ServerIdentity identity = new ServerIdentity(id, "simulated", 1, "worker", 1, "simulated", world.nowNs());
        Transport transport = group.join(this, id);
        rooms = new Rooms("api", flushed, relaxed, timers, world.random(), new PayloadCipher(config.encryption()),
                config.engine(), config.cluster(), identity, config.numbers().reportEvery(), meters, transport,
                task -> world.after(0, whileAlive(task)));
        transport.listen(rooms.neighbours());
        rooms.open().onSuccess(_ -> isOpen = true).onFailure(_ -> onStartFailed.run());
    }

    /** Ends without a word, as by kill -9. */
    void crash() {
        isAlive = false;
        group.leave(id);
        postgres.forget(this);
    }

    /** A task of the server throws, beside others that are due at the same time. */
    void failInTask() {
        if (isServing()) {
            timers.after(0, () -> {
                throw new SimulatedDefect();
            });
        }
    }

    /** Whether requests are served. */
    boolean isServing() {
        return isAlive && isOpen;
    }

    boolean isAlive() {
        return isAlive;
    }

    Rooms rooms() {
        return rooms;
    }

    /** The task, which does nothing any more once the server has crashed. */
    Runnable whileAlive(Runnable task) {
        return () -> {
            if (isAlive) {
                task.run();
            }
        };
    }

    double gauge(String name) {
        return meters.find(name).gauges().stream().mapToDouble(Gauge::value).sum();
    }

    private final class VirtualClock implements LoopClock {
        @Override
        public long nowNs() {
            return world.nowNs();
        }

        @Override
        public long epochMs() {
            return world.epochMs();
        }

        @Override
        public Wakeup wakeAfter(long delayMs, Runnable task) {
            boolean[] isCancelled = new boolean[1];
            world.after(delayMs * 1_000_000, whileAlive(() -> {
                if (!isCancelled[0]) {
                    try {
                        task.run();
                    } catch (SimulatedDefect defect) {
                        // An event loop reports what a task of it throws, and goes on with the next.
                    }
                }
            }));
            return () -> isCancelled[0] = true;
        }
    }
}
