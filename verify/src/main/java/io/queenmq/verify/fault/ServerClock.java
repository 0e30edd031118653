package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.FakeClock;
import io.queenmq.verify.cluster.ServerProcess;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Restarts a server with a wrong time of day. Only the clock of PostgreSQL may decide, so nothing is excused. */
final class ServerClock implements Fault {
    private static final int SECONDS_MAX = 7_200;
    /** Reading a changed clock is slow, so the start of such a server takes long. */
    private static final Duration STARTED_WITHIN = Duration.ofSeconds(90);

    @Override
    public String name() {
        return "server-clock";
    }

    @Override
    public String description() {
        return "a server is restarted with a clock that is wrong by up to two hours, and again with the right one";
    }

    @Override
    public Optional<String> unavailable() {
        return FakeClock.unavailable();
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        ServerProcess server = cluster.servers().get(random.nextInt(cluster.servers().size()));
        server.terminate();
        try {
            server.restart(FakeClock.environment(random.nextInt(2 * SECONDS_MAX) - SECONDS_MAX), STARTED_WITHIN);
            Fault.hold(duration);
        } finally {
            server.terminate();
            server.restart(Map.of(), ServerProcess.READY_WITHIN);
        }
    }
}
