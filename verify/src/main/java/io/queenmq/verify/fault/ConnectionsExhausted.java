package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Opens connections until PostgreSQL accepts no more, then cuts those of the servers, so that they cannot be replaced. */
final class ConnectionsExhausted implements Fault {
    private static final int CONNECTIONS_MAX = 500;

    @Override
    public String name() {
        return "connections-exhausted";
    }

    @Override
    public String description() {
        return "all connections of PostgreSQL are in use, and the servers lose theirs";
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        List<Connection> all = new ArrayList<>();
        try {
            openAll(cluster, all);
            cluster.database().proxy().closeConnections();
            // The places of the lost connections are taken, too.
            Fault.hold(Duration.ofMillis(20));
            openAll(cluster, all);
            Fault.hold(duration);
        } finally {
            for (Connection each : all) {
                each.close();
            }
        }
    }

    private static void openAll(Cluster cluster, List<Connection> all) {
        while (all.size() < CONNECTIONS_MAX) {
            try {
                all.add(cluster.database().connect());
            } catch (SQLException _) {
                return;
            }
        }
    }
}
