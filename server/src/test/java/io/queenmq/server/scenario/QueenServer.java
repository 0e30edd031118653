package io.queenmq.server.scenario;

import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.harness.InstalledDatabase;
import io.queenmq.testkit.PatientSettings;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestShards;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A server for one test class, on its own database. Each test must use its own queues. */
final class QueenServer implements BeforeAllCallback, AfterAllCallback {
    private final AtomicInteger queues = new AtomicInteger();
    private final Map<String, String> settings;
    private final List<Server> others = new ArrayList<>();
    private TestDatabase database;
    private Server server;
    private QueenClient client;

    private QueenServer(Map<String, String> settings) {
        this.settings = settings;
    }

    static QueenServer withDefaults() {
        return new QueenServer(Map.of());
    }

    /** @param settings environment variables in addition to those of the database */
    static QueenServer with(Map<String, String> settings) {
        return new QueenServer(settings);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (isNested(context)) {
            return;
        }
        database = InstalledDatabase.create(TestShards.count(settings));
        start();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (isNested(context)) {
            return;
        }
        others.forEach(Server::close);
        server.close();
        database.close();
    }

    /** Returns a unique queue name. */
    String newQueue() {
        return "queue-" + queues.incrementAndGet();
    }

    QueenClient client() {
        return client;
    }

    int port() {
        return server.port();
    }

    String url() {
        return server.url();
    }

    /** Starts another server on the same database, which runs until the end of the class. */
    QueenClient startAnother() {
        return startAnother(settings);
    }

    /** @param settings that differ from those of the first server */
    QueenClient startAnother(Map<String, String> settings) {
        Server another = open(settings);
        others.add(another);
        return new QueenClient(another.url());
    }

    /** Stops the server that was started last, like SIGTERM. */
    void stopLast() {
        others.removeLast().close();
    }

    /** Stops the server, like SIGTERM. */
    void stop() {
        server.close();
    }

    void start() {
        server = open(settings);
        client = new QueenClient(server.url());
    }

    TestDatabase database() {
        return database;
    }

    /** Executes a statement with these parameters. */
    int update(String sql, Object... values) {
        try (Connection connection = database.connect();
                PreparedStatement statement = prepare(connection, sql, values)) {
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Executes the statement in each shard, whose tables it names without a schema. */
    int updateEverywhere(String sql, Object... values) {
        return database.everywhere(sql, values);
    }

    /** Returns the first column of each row as text. */
    List<String> select(String sql, Object... values) {
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

    /** Expires all leases of the queue. */
    void expireLeases(String queue) {
        updateEverywhere(
                "update cursor set lease_until = clock_timestamp() - interval '1 millisecond' where lease_id is not null"
                        + " and partition_id in (" + PARTITIONS_OF + ")",
                queue);
    }

    /** Ends all retry delays of the queue. */
    void endRetryDelays(String queue) {
        updateEverywhere("update cursor set retry_at = clock_timestamp() where retry_at is not null"
                + " and partition_id in (" + PARTITIONS_OF + ")", queue);
        updateEverywhere(
                "update failure set retry_at = clock_timestamp() where partition_id in (" + PARTITIONS_OF + ")", queue);
    }

    /** Shifts the times of all messages of the queue into the past. */
    void age(String queue, int seconds) {
        updateEverywhere("update segment set created_at = created_at - make_interval(secs => ?) where partition_id in ("
                + PARTITIONS_OF + ")", seconds, queue);
        updateEverywhere(
                "update partition set last_push_at = last_push_at - make_interval(secs => ?),"
                        + " active_at = active_at - make_interval(secs => ?) where id in (" + PARTITIONS_OF + ")",
                seconds, seconds, queue);
        updateEverywhere(
                "update partition_upkeep set due_at = due_at - make_interval(secs => ?) where partition_id in ("
                        + PARTITIONS_OF + ")",
                seconds, queue);
    }

    /** Returns the transactionIds of the dead letters of the queue, with their numbers of attempts. */
    List<String> deadLetters(String queue) {
        return select("select (convert_from(d.line, 'UTF8')::json ->> 'transactionId') || ' ' || d.attempts"
                + " from queen.dead_letter d join queen.queue q on q.id = d.queue_id where q.name = ?"
                + " order by d.failed_at, d.message_offset", queue);
    }

    private static final String PARTITIONS_OF = "select p.id from partition p join queen.queue q on q.id = p.queue_id where q.name = ?";

    private static PreparedStatement prepare(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    private Server open(Map<String, String> settings) {
        Map<String, String> variables = new HashMap<>(PatientSettings.ALL);
        variables.put("QUEEN_SHARDS", Integer.toString(TestShards.count(this.settings)));
        variables.putAll(settings);
        variables.put("PORT", "0");
        variables.put("HOST", "127.0.0.1");
        variables.put("NUM_WORKERS", "2");
        variables.put("PG_HOST", database.host());
        variables.put("PG_PORT", Integer.toString(database.port()));
        variables.put("PG_DB", database.name());
        variables.put("PG_USER", database.user());
        variables.put("PG_PASSWORD", database.password());
        return Server.start(ConfigReader.read(variables));
    }

    private static boolean isNested(ExtensionContext context) {
        return context.getRequiredTestClass().isMemberClass();
    }
}
