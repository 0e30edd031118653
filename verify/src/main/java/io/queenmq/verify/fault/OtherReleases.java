package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.Release;
import io.queenmq.verify.cluster.ServerProcess;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Upgrades one server after the other to other builds, so that up to three releases run at once, and back. */
final class OtherReleases implements Fault {
    @Override
    public String name() {
        return "other-releases";
    }

    @Override
    public String description() {
        return "rolling restart with two other builds, so that up to three releases run at once, and back";
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        List<ServerProcess> servers = cluster.servers();
        List<Release> others = cluster.otherReleases();
        try {
            for (int i = 0; i <= servers.size(); i++) {
                ServerProcess server = servers.get(i % servers.size());
                server.terminate();
                server.restart(others.get((i + i / servers.size()) % others.size()));
                Fault.hold(duration.dividedBy(4));
            }
        } finally {
            for (ServerProcess server : servers) {
                server.terminate();
                server.restart(Release.NONE);
            }
        }
    }
}
