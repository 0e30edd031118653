package io.queenmq.test;

import io.queenmq.client.Queen;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A Queen server with its PostgreSQL, started in a process of its own by the first test of a JVM that uses it, and
 * stopped with the JVM. Its database is empty at the start; tests are isolated by separate queues. Thread-safe.
 */
public final class TestQueen {
    /** The directory of PostgreSQL (default: in {@code target}, {@code build} or the folder for temporary files). */
    public static final String HOME_PROPERTY = "queen.test.home";

    /** The number of shards of the database, as {@code QUEEN_SHARDS} of a server (default: one). */
    public static final String SHARDS_PROPERTY = "queen.shards";

    /** The name by which the server stores consumers without a group. */
    private static final String NO_GROUP = "__QUEUE_MODE__";

    private static final String PARTITIONS = "(select p.id from partition p join queen.queue q on q.id = p.queue_id where q.name = ?)";

    private final TestDirectory home;
    private final ServerProcess server;
    private final ConnectionProxy relay;

    private TestQueen(TestDirectory home, ServerProcess server, ConnectionProxy relay) {
        this.home = home;
        this.server = server;
        this.relay = relay;
    }

    /** Returns the server of this JVM. */
    public static TestQueen shared() {
        return Shared.INSTANCE;
    }

    private static TestQueen start() {
        TestDirectory home = TestDirectory.acquire();
        ServerProcess server = ServerProcess.start(home.path(), System.getProperty(SHARDS_PROPERTY, "1"));
        try {
            return new TestQueen(home, server, new ConnectionProxy(server.port()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the directory of its PostgreSQL. */
    TestDirectory home() {
        return home;
    }

    List<String> query(String sql) {
        return server.query(sql);
    }

    /** Returns the URL for clients. */
    public String url() {
        return "http://127.0.0.1:" + relay.port();
    }

    /** Creates a client, which the caller closes. */
    public Queen connect() {
        return Queen.connect(url());
    }

    /** Returns the JDBC URL of the database, for an application that pushes inside its own transactions. */
    public String jdbcUrl() {
        return server.jdbcUrl();
    }

    public String databaseUser() {
        return server.user();
    }

    public String databasePassword() {
        return server.password();
    }

    /**
     * Opens a connection to the database, which the caller closes. Requires PostgreSQL's JDBC driver
     * {@code org.postgresql:postgresql} on the class path.
     */
    public Connection connectDatabase() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), databaseUser(), databasePassword());
    }

    /** Returns a unique queue name. */
    public String newQueue() {
        return "queue-" + UUID.randomUUID();
    }

    /**
     * Expires all leases of the queue: their messages are redelivered. A handler detects this at the next renewal of
     * its lease; the first one is a second after delivery.
     */
    public void expireLeases(String queue) {
        server.updateShards("update cursor set lease_until = clock_timestamp() - interval '1 millisecond'"
                + " where lease_id is not null and partition_id in " + PARTITIONS, queue);
        // Wakes waiting pops, which would otherwise wait for the original end of the lease.
        server.query("select pg_notify('queen_pushed', ?)", queue);
    }

    /** Ends the {@code retryDelay} of failed messages of the queue: they are redelivered within a second or two. */
    public void endRetryDelays(String queue) {
        server.updateShards("update failure set retry_at = clock_timestamp() where partition_id in " + PARTITIONS,
                queue);
        server.updateShards(
                "update cursor set retry_at = null where retry_at is not null and partition_id in " + PARTITIONS,
                queue);
        // The server has the time of the next attempt in memory, and reads it again only after a change of the queue.
        server.query("update queen.queue set revision = revision + 1 where name = ? returning name", queue);
        server.query("update queen.catalog set version = version + 1 returning version");
    }

    /**
     * Closes all HTTP connections: requests in flight get no response, and may or may not be executed. The next request
     * connects again.
     */
    public void dropConnections() {
        relay.cut();
    }

    /** Closes all connections of the server to PostgreSQL. The server reconnects. */
    public void dropDatabaseConnections() {
        server.query("select pg_terminate_backend(pid) from pg_stat_activity"
                + " where datname = current_database() and application_name = 'queen'");
    }

    /**
     * Returns the payloads stored in a partition as JSON, in order. Finished messages are included until retention
     * removes them.
     *
     * @throws IllegalArgumentException if the queue does not exist
     */
    public List<String> messages(String queue, String partition) {
        requireQueue(queue);
        return server.query("select data from queen.message where queue = ? and partition = ? order by \"offset\"",
                queue, partition);
    }

    /**
     * Returns the number of unfinished messages of the group: neither acknowledged nor dead-lettered.
     *
     * @param group null for consumers without a group
     * @throws IllegalArgumentException if the queue does not exist
     */
    public int pending(String queue, @Nullable String group) {
        requireQueue(queue);
        return Integer.parseInt(server.query("""
                select coalesce(sum(p.head - coalesce(c.committed, p.tail)
                    - coalesce((select sum(upper(a) - lower(a)) from unnest(c.acked) a), 0)), 0)::int
                from queen.queue q
                join queen.partition p on p.queue_id = q.id
                left join queen.cursor c on c.partition_id = p.id and c.group_name = ?
                where q.name = ?
                """, group == null ? NO_GROUP : group, queue).getFirst());
    }

    /** A mistyped name must not look like an empty queue. */
    private void requireQueue(String queue) {
        if (server.query("select name from queen.queue where name = ?", queue).isEmpty()) {
            throw new IllegalArgumentException("the queue '" + queue + "' does not exist; its first push creates it");
        }
    }

    /** Initialized on first use. */
    private static final class Shared {
        static final TestQueen INSTANCE = start();
    }
}
