package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Random;

/** Keeps a transaction open, so that PostgreSQL cannot remove old row versions. */
final class HeldTransaction implements Fault {
    @Override
    public String name() {
        return "held-transaction";
    }

    @Override
    public String description() {
        return "a transaction with a snapshot and an id stays open";
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        try (Connection connection = cluster.database().connect(); Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.execute("select pg_current_xact_id(), count(*) from queen.queue");
            Fault.hold(duration.multipliedBy(3));
            connection.rollback();
        }
    }
}
