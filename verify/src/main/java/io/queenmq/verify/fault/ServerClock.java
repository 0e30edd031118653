package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.FakeClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Changes the time of day of a server by up to two hours. Only the clock of PostgreSQL may decide, so nothing is excused. */
final class ServerClock implements Fault {
    private static final int SECONDS_MAX = 7_200;
    /** Reading a changed clock is slow, so only one server can change its clock. */
    private static final int SERVER = 1;

    @Override
    public String name() {
        return "server-clock";
    }

    @Override
    public String description() {
        return "the time of day of a server jumps by up to two hours, and back";
    }

    @Override
    public Optional<String> unavailable() {
        return FakeClock.unavailable();
    }

    @Override
    public Map<String, String> prepare(Path home, int server) {
        return server == SERVER ? FakeClock.environment(file(home)) : Map.of();
    }

    private static Path file(Path home) {
        return home.resolve("clock-" + SERVER);
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        Path file = file(cluster.home());
        FakeClock.set(file, random.nextInt(2 * SECONDS_MAX) - SECONDS_MAX);
        try {
            Fault.hold(duration);
        } finally {
            FakeClock.set(file, 0);
        }
    }
}
