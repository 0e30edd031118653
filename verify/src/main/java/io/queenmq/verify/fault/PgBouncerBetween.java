package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.PgBouncer;
import io.queenmq.verify.cluster.Programs;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/** Connects the servers to PostgreSQL through PgBouncer, which is then killed. */
final class PgBouncerBetween implements Fault {
    @Override
    public String name() {
        return "pgbouncer";
    }

    @Override
    public String description() {
        return "servers connect through PgBouncer in session mode, which is killed in the end";
    }

    @Override
    public Optional<String> unavailable() {
        return Programs.missing("pgbouncer", "pgbouncer");
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        try (PgBouncer _ = cluster.database().startPgBouncer()) {
            Fault.hold(duration.multipliedBy(2));
        } finally {
            cluster.database().connectDirectly();
        }
    }
}
