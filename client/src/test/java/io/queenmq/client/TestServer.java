package io.queenmq.client;

import io.queenmq.schema.Schema;
import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.testkit.FreePort;
import io.queenmq.testkit.PatientSettings;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import io.queenmq.testkit.TestShards;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Servers for one test class with their own database. Tests are isolated by separate queues. */
final class TestServer implements BeforeAllCallback, AfterAllCallback {
    private static final String PARTITIONS_OF = "select p.id from queen.partition p join queen.queue q on q.id = p.queue_id where q.name = ?";
    private static final AtomicInteger QUEUES = new AtomicInteger();

    private final Map<Integer, Server> servers = new HashMap<>();
    private final Map<String, String> settings;
    private TestDatabase database;
    private int port;
    private Queen queen;

    TestServer() {
        this(Map.of());
    }

    /** @param settings environment variables beyond those that name the database */
    TestServer(Map<String, String> settings) {
        this.settings = settings;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (isNested(context)) {
            return;
        }
        int shards = TestShards.count(settings);
        database = TestPostgres.shared().cloneOf("client-" + shards,
                connection -> Schema.install(connection, OptionalInt.of(shards)));
        port = FreePort.choose();
        start(port);
        queen = Queen.connect(url());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (isNested(context)) {
            return;
        }
        queen.close();
        servers.values().forEach(Server::close);
        database.close();
    }

    /** A client of the first server. */
    Queen queen() {
        return queen;
    }

    String url() {
        return url(port);
    }

    static String url(int port) {
        return "http://127.0.0.1:" + port;
    }

    int port() {
        return port;
    }

    TestDatabase database() {
        return database;
    }

    /** Returns a unique queue name. */
    static String newQueue() {
        return "queue-" + QUEUES.incrementAndGet();
    }

    void start(int port) {
        Map<String, String> variables = new HashMap<>(PatientSettings.ALL);
        variables.putAll(settings);
        variables.putAll(Map.of("PORT", Integer.toString(port), "HOST", "127.0.0.1", "NUM_WORKERS", "2", "PG_HOST",
                database.host(), "PG_PORT", Integer.toString(database.port()), "PG_DB", database.name(), "PG_USER",
                database.user(), "PG_PASSWORD", database.password()));
        servers.put(port, Server.start(ConfigReader.read(variables)));
    }

    /** Stops the server as SIGTERM would. */
    void stop(int port) {
        servers.remove(port).close();
    }

    /** Expires all leases of the queue. */
    void expireLeases(String queue) {
        database.everywhere(
                "update cursor set lease_until = clock_timestamp() - interval '1 millisecond' where lease_id is not null"
                        + " and partition_id in (" + PARTITIONS_OF + ")",
                queue);
    }

    /** Returns the number of leased partitions of the queue. */
    int leases(String queue) {
        return select("select c.group_name from queen.cursor c where c.lease_id is not null"
                + " and c.lease_until > clock_timestamp() and c.partition_id in (" + PARTITIONS_OF + ")", queue).size();
    }

    /** Returns the duration of the only lease of the queue in seconds. */
    double leaseSecondsLeft(String queue) {
        return Double
                .parseDouble(select("select extract(epoch from c.lease_until - clock_timestamp()) from queen.cursor c"
                        + " where c.lease_id is not null and c.partition_id in (" + PARTITIONS_OF + ")", queue)
                        .getFirst());
    }

    /** Returns the payloads stored in a partition, in order. */
    List<String> stored(String queue, String partition) {
        return select("select data #>> '{}' from queen.message where queue = ? and partition = ? order by \"offset\"",
                queue, partition);
    }

    /** Returns the payloads, prefixed by the transactionId if it has one character, unlike ids of the client. */
    List<String> storedLines(String queue, String partition) {
        return select(
                "select case when length(transaction_id) = 1 then transaction_id || ' ' else '' end || (data #>> '{}')"
                        + " from queen.message where queue = ? and partition = ? order by \"offset\"",
                queue, partition);
    }

    /** Returns the number of unfinished messages of the groups of the queue. */
    int pending(String queue) {
        return Integer.parseInt(select(
                "select coalesce(sum(p.head - c.committed), 0) from queen.cursor c"
                        + " join queen.partition p on p.id = c.partition_id where p.id in (" + PARTITIONS_OF + ")",
                queue).getFirst());
    }

    /** Returns the transactionIds of the dead letters of the queue, with the number of attempts and the reason. */
    List<String> deadLetters(String queue) {
        return select(
                "select (convert_from(d.line, 'UTF8')::json ->> 'transactionId') || ' ' || d.attempts || ' ' || d.error"
                        + " from queen.dead_letter d join queen.queue q on q.id = d.queue_id where q.name = ?"
                        + " order by d.failed_at, d.message_offset",
                queue);
    }

    private List<String> select(String sql, Object... values) {
        List<String> found = new ArrayList<>();
        try (Connection connection = database.connect();
                PreparedStatement statement = prepare(connection, sql, values);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
        return found;
    }

    private static PreparedStatement prepare(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    private static boolean isNested(ExtensionContext context) {
        return context.getRequiredTestClass().isMemberClass();
    }
}
