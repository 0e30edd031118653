package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.ServerProcess;
import java.time.Duration;
import java.util.Random;

/** Kills a server and starts it again. */
final class ServerKill implements Fault {
    @Override
    public String name() {
        return "server-kill";
    }

    @Override
    public String description() {
        return "kill -9 of a server, which is started again";
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        ServerProcess server = cluster.servers().get(random.nextInt(cluster.servers().size()));
        server.kill();
        Fault.hold(duration.dividedBy(4));
        server.restart();
    }
}
