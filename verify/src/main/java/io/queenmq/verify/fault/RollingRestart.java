package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.ServerProcess;
import java.time.Duration;
import java.util.Random;

/** Stops and starts one server after the other, as an upgrade does. */
final class RollingRestart implements Fault {
    @Override
    public String name() {
        return "rolling-restart";
    }

    @Override
    public String description() {
        return "SIGTERM and start of every server, one after the other";
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        for (ServerProcess server : cluster.servers()) {
            server.terminate();
            server.restart();
            Fault.hold(duration.dividedBy(4));
        }
    }
}
