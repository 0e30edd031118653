package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.Signals;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Stops a process with SIGSTOP and continues it. */
final class Pause implements Fault {
    /** The process to be paused. */
    enum Victim {
        SERVER,
        BACKEND,
        POSTMASTER
    }

    private final Victim victim;

    Pause(Victim victim) {
        this.victim = victim;
    }

    @Override
    public String name() {
        return switch (victim) {
            case SERVER -> "server-pause";
            case BACKEND -> "backend-pause";
            case POSTMASTER -> "postmaster-pause";
        };
    }

    @Override
    public String description() {
        return "SIGSTOP of " + switch (victim) {
            case SERVER -> "a server";
            case BACKEND -> "a backend of PostgreSQL";
            case POSTMASTER -> "the postmaster, so that no connection can be opened";
        };
    }

    @Override
    public boolean isOfPostmaster() {
        return victim == Victim.POSTMASTER;
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        long pid = switch (victim) {
            case SERVER -> cluster.servers().get(random.nextInt(cluster.servers().size())).pid();
            case BACKEND -> {
                List<Long> backends = cluster.database().serverBackends();
                yield backends.get(random.nextInt(backends.size()));
            }
            case POSTMASTER -> cluster.database().pid();
        };
        Signals.send(pid, "STOP");
        try {
            Fault.hold(duration);
        } finally {
            Signals.send(pid, "CONT");
        }
    }
}
