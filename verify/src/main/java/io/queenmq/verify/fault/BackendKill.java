package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.Signals;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Kills a backend of PostgreSQL, which then disconnects all clients and recovers. */
final class BackendKill implements Fault {
    @Override
    public String name() {
        return "backend-kill";
    }

    @Override
    public String description() {
        return "kill -9 of a backend of PostgreSQL, which then restarts all of its processes";
    }

    @Override
    public List<String> excuses() {
        return List.of("leases");
    }

    @Override
    public boolean isOfPostmaster() {
        return true;
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        List<Long> backends = cluster.database().serverBackends();
        Signals.send(backends.get(random.nextInt(backends.size())), "KILL");
        Fault.hold(duration.dividedBy(4));
    }
}
