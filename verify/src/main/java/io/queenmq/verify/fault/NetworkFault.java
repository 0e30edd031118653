package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.TcpProxy;
import io.queenmq.verify.cluster.TcpProxy.Mode;
import java.time.Duration;
import java.util.Random;

/** Changes the mode of the proxy between the servers and PostgreSQL, or between clients and one server. */
final class NetworkFault implements Fault {
    private final String name;
    private final String description;
    private final Mode mode;
    private final boolean isOfDatabase;

    NetworkFault(String name, String description, Mode mode, boolean isOfDatabase) {
        this.name = name;
        this.description = description;
        this.mode = mode;
        this.isOfDatabase = isOfDatabase;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        TcpProxy proxy = isOfDatabase
                ? cluster.database().proxy()
                : cluster.servers().get(random.nextInt(cluster.servers().size())).proxy();
        proxy.setMode(mode);
        try {
            Fault.hold(duration);
        } finally {
            proxy.setMode(Mode.FORWARD);
            if (mode == Mode.HALF_OPEN) {
                // The responses that were kept back belong to connections that clients have given up.
                proxy.closeConnections();
            }
        }
    }
}
