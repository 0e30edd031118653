package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Replaces the database by a base backup that is some seconds old, as an operator does after a disaster. */
final class BackupRestore implements Fault {
    @Override
    public String name() {
        return "backup-restore";
    }

    @Override
    public String description() {
        return "PostgreSQL is replaced by a base backup that is some seconds old; what was committed since is lost";
    }

    @Override
    public List<String> excuses() {
        return List.of("leases", "history");
    }

    @Override
    public boolean isOfPostmaster() {
        return true;
    }

    @Override
    public Optional<String> unavailable() {
        return new Failover(false).unavailable();
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        Path backup = cluster.database().backUp();
        Fault.hold(duration);
        cluster.database().restore(backup);
    }
}
