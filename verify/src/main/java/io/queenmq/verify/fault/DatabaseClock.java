package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.FakeClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Restarts PostgreSQL with a wrong time of day, and with the right one later. */
final class DatabaseClock implements Fault {
    private static final int SECONDS_MAX = 10;

    @Override
    public String name() {
        return "database-clock";
    }

    @Override
    public String description() {
        return "the time of day of PostgreSQL jumps by up to ten seconds when it is restarted, and back";
    }

    @Override
    public List<String> excuses() {
        return List.of("leases", "clock");
    }

    @Override
    public boolean isOfPostmaster() {
        return true;
    }

    @Override
    public Optional<String> unavailable() {
        Optional<String> reason = FakeClock.unavailable();
        return reason.isPresent() ? reason : new Failover(false).unavailable();
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        int seconds = (2 + random.nextInt(SECONDS_MAX - 1)) * (random.nextBoolean() ? 1 : -1);
        try {
            cluster.database().restartWithClock(seconds);
            Fault.hold(duration);
        } finally {
            cluster.database().restartWithClock(0);
        }
        // Leases that were given while the clock was ahead end later.
        Fault.hold(Duration.ofSeconds(SECONDS_MAX));
    }
}
