package io.queenmq.server.scenario;

import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestShards;
import java.sql.Connection;
import java.sql.SQLException;

/** A transaction that locks a partition until it is closed. */
final class LockedPartition implements AutoCloseable {
    private final Connection connection;

    LockedPartition(TestDatabase database, String queue, String partition) {
        connection = database.connect();
        try {
            connection.setAutoCommit(false);
            TestShards.everywhere(connection,
                    "select from partition p join queen.queue q"
                            + " on q.id = p.queue_id where q.name = ? and p.name = ? for update of p",
                    queue, partition);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
