package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.Signals;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Kills the postmaster and starts PostgreSQL again. */
final class PostmasterKill implements Fault {
    @Override
    public String name() {
        return "postmaster-kill";
    }

    @Override
    public String description() {
        return "kill -9 of the postmaster; PostgreSQL is started again";
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
        Signals.send(cluster.database().pid(), "KILL");
        Fault.hold(duration);
        cluster.database().restart();
    }
}
