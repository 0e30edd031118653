package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.Programs;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/** Cuts the connections between servers again and again, so that their hints are lost. */
final class ClusterCut implements Fault {
    private static final Duration PAUSE = Duration.ofMillis(100);

    @Override
    public String name() {
        return "cluster-cut";
    }

    @Override
    public String description() {
        return "the connections between the servers are cut again and again, so their hints are lost";
    }

    @Override
    public Optional<String> unavailable() {
        Optional<String> missing = Programs.missing("ss", "iproute2");
        return missing.isPresent() || System.getProperty("user.name").equals("root")
                ? missing
                : Optional.of("only root may close connections of other processes");
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        long untilNs = System.nanoTime() + duration.multipliedBy(2).toNanos();
        while (System.nanoTime() < untilNs) {
            for (int port : cluster.peerPorts()) {
                Programs.run("ss", "-K", "state", "established", "( sport = :" + port + " or dport = :" + port + " )");
            }
            Fault.hold(PAUSE);
        }
    }
}
