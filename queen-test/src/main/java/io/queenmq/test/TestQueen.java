package io.queenmq.test;

import io.queenmq.client.Queen;
import io.queenmq.embedded.EmbeddedPostgres;
import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A real Queen server on a real PostgreSQL, started by the first test of a JVM that needs it and ended with the JVM. Its
 * database begins empty; tests keep apart by queues of their own. For any thread.
 */
public final class TestQueen {
    /** Where the PostgreSQL is kept; {@code target}, {@code build} or the folder for temporary files unless set. */
    public static final String HOME_PROPERTY = "queen.test.home";

    /** How many shards the database has, as {@code QUEEN_SHARDS} says it to a server; one unless set. */
    public static final String SHARDS_PROPERTY = "queen.shards";

    /** Tests lose nothing when the machine crashes, and flushing is slow. */
    private static final Map<String, String> POSTGRES = Map.of("fsync", "off");

    /** How the server calls those who read without a group. */
    private static final String NO_GROUP = "__QUEUE_MODE__";

    private static final String PARTITIONS = "(select p.id from partition p join queen.queue q on q.id = p.queue_id where q.name = ?)";

    /** A class that 4.2 has and 4.1 has not. */
    private static final String NETTY = "io.netty.channel.MultiThreadIoEventLoopGroup";

    private final Home home;
    private final TestDatabase database;
    private final Relay relay;

    private TestQueen(Home home, TestDatabase database, Relay relay) {
        this.home = home;
        this.database = database;
        this.relay = relay;
    }

    /** The one of this JVM. */
    public static TestQueen shared() {
        return Shared.INSTANCE;
    }

    private static TestQueen start() {
        requireNetty(TestQueen.class.getClassLoader());
        Home home = Home.acquire();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(home.path(), POSTGRES);
        TestDatabase database = TestDatabase.createIn(postgres);
        Server server = Server.start(ConfigReader.read(settings(database)));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.close();
            postgres.close();
        }, "queen-test-stop"));
        try {
            return new TestQueen(home, database, new Relay(server.port()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where its PostgreSQL lives. */
    Home home() {
        return home;
    }

    /** The parent of a project may set the version of Netty, as that of Spring Boot 3 does. */
    static void requireNetty(ClassLoader classes) {
        try {
            Class.forName(NETTY, false, classes);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(
                    "Queen's server needs Netty 4.2, and an older one is on the class path; in a project"
                            + " of Spring Boot 3 set the property netty.version to 4.2.13.Final or later",
                    e);
        }
    }

    /** It stands alone, and keeps nothing outside of its database. */
    private static Map<String, String> settings(TestDatabase database) {
        Map<String, String> settings = new HashMap<>(Map.of("HOST", "127.0.0.1", "PORT", "0", "NUM_WORKERS", "1",
                "SHUTDOWN_GRACE_MS", "1000", "SPOOL_ENABLED", "false", "QUEEN_SYNC_ENABLED", "false",
                "QUEEN_SHARDS", System.getProperty(SHARDS_PROPERTY, "1")));
        settings.putAll(Map.of("PG_HOST", database.host(), "PG_PORT", Integer.toString(database.port()), "PG_DB",
                database.name(), "PG_USER", database.user(), "PG_PASSWORD", database.password()));
        return settings;
    }

    /** Where clients reach it. */
    public String url() {
        return "http://127.0.0.1:" + relay.port();
    }

    /** A client, which the caller closes. */
    public Queen connect() {
        return Queen.connect(url());
    }

    /** The database that the messages are in, for an application that pushes within its own transactions. */
    public String jdbcUrl() {
        return database.jdbcUrl();
    }

    public String databaseUser() {
        return database.user();
    }

    public String databasePassword() {
        return database.password();
    }

    /** A connection to that database, which the caller closes. */
    public Connection connectDatabase() throws SQLException {
        return database.connect();
    }

    /** The name of a queue that nobody else has. */
    public String newQueue() {
        return "queue-" + UUID.randomUUID();
    }

    /**
     * All leases of the queue run out now: their messages are delivered again, and a handler that has one of them learns of
     * it when its lease would have been renewed, a second after delivery for the first time.
     */
    public void expireLeases(String queue) {
        database.updateShards("update cursor set lease_until = clock_timestamp() - interval '1 millisecond'"
                + " where lease_id is not null and partition_id in " + PARTITIONS, queue);
        // Those who wait look again, instead of when the lease would have ended.
        database.query("select pg_notify('queen_pushed', ?)", queue);
    }

    /** Failed messages of the queue that wait for their next attempt ({@code retryDelay}) are delivered within a second or two. */
    public void endRetryDelays(String queue) {
        database.updateShards("update failure set retry_at = clock_timestamp() where partition_id in " + PARTITIONS,
                queue);
        database.updateShards("update cursor set retry_at = null where retry_at is not null and partition_id in "
                + PARTITIONS, queue);
        // The server knows when an attempt is due, and asks again only if somebody has changed the queue.
        database.query("update queen.queue set revision = revision + 1 where name = ? returning name", queue);
        database.query("update queen.catalog set version = version + 1 returning version");
    }

    /**
     * Cuts every HTTP connection there is: requests under way get no answer, and what they asked for is done or not. The
     * next request connects again.
     */
    public void dropConnections() {
        relay.cut();
    }

    /** Ends every connection between the server and its PostgreSQL. It connects again by itself. */
    public void dropDatabaseConnections() {
        database.query("select pg_terminate_backend(pid) from pg_stat_activity"
                + " where datname = current_database() and application_name = 'queen'");
    }

    /**
     * The payloads that are stored in a partition, as JSON and in order, finished ones too until retention takes them.
     *
     * @throws IllegalArgumentException when there is no such queue
     */
    public List<String> messages(String queue, String partition) {
        requireQueue(queue);
        return database.query("select data from queen.message where queue = ? and partition = ? order by \"offset\"",
                queue, partition);
    }

    /**
     * How many messages of the queue the group has not finished: neither acknowledged nor given up.
     *
     * @param group null for those who read without one
     * @throws IllegalArgumentException when there is no such queue
     */
    public int pending(String queue, @Nullable String group) {
        requireQueue(queue);
        return Integer.parseInt(database.query("""
                select coalesce(sum(p.head - coalesce(c.committed, p.tail)
                    - coalesce((select sum(upper(a) - lower(a)) from unnest(c.acked) a), 0)), 0)::int
                from queen.queue q
                join queen.partition p on p.queue_id = q.id
                left join queen.cursor c on c.partition_id = p.id and c.group_name = ?
                where q.name = ?
                """, group == null ? NO_GROUP : group, queue).getFirst());
    }

    /** A name with a mistake in it must not look like a queue in which all is done. */
    private void requireQueue(String queue) {
        if (database.query("select name from queen.queue where name = ?", queue).isEmpty()) {
            throw new IllegalArgumentException("there is no queue '" + queue + "'; the first push to it creates it");
        }
    }

    /** Started when it is asked for and no earlier. */
    private static final class Shared {
        static final TestQueen INSTANCE = start();
    }
}
