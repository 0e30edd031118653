package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Random;

/** Locks rows of partitions or cursors, as a transaction of a user does. */
final class LockedRows implements Fault {
    private static final int ROWS = 30;

    @Override
    public String name() {
        return "locked-rows";
    }

    @Override
    public String description() {
        return "a transaction of a user locks rows of partitions or cursors";
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        String table = random.nextBoolean() ? "partition" : "cursor";
        try (Connection connection = cluster.database().connect(); Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("set local lock_timeout = '2s'");
            statement.execute("select 1 from queen_00." + table + " order by random() limit " + ROWS + " for update");
            Fault.hold(duration);
            connection.rollback();
        }
    }
}
