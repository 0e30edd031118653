package io.queenmq.server.harness;

import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.testkit.PatientSettings;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import io.queenmq.testkit.TestShards;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Servers in this process that share one new database. */
public final class Cluster implements AutoCloseable {
    private final TestDatabase database = TestPostgres.shared().createDatabase();
    private final Connection connection = database.connect();
    private final List<Server> servers = new ArrayList<>();
    private final List<QueenClient> clients = new ArrayList<>();

    private Cluster() {}

    public static Cluster of(int size) {
        return of(size, Map.of());
    }

    /** @param settings environment variables in addition to those of the database */
    public static Cluster of(int size, Map<String, String> settings) {
        Cluster cluster = new Cluster();
        try {
            for (int i = 0; i < size; i++) {
                cluster.add(settings);
            }
            return cluster;
        } catch (Throwable failure) {
            cluster.close();
            throw failure;
        }
    }

    private void add(Map<String, String> settings) {
        Map<String, String> environment = new HashMap<>(PatientSettings.ALL);
        environment.putAll(settings);
        environment.putAll(Map.of("PORT", "0", "HOST", "127.0.0.1", "NUM_WORKERS", "1", "PG_HOST", database.host(),
                "PG_PORT", Integer.toString(database.port()), "PG_DB", database.name(), "PG_USER", database.user(),
                "PG_PASSWORD", database.password()));
        Server server = Server.start(ConfigReader.read(environment));
        servers.add(server);
        clients.add(new QueenClient(server.url()));
    }

    public QueenClient client(int server) {
        return clients.get(server);
    }

    public List<QueenClient> clients() {
        return clients;
    }

    /** Configures the queue on all servers, which would otherwise load each other's queues within a second. */
    public void configure(String queue, Map<String, ?> options) {
        for (QueenClient client : clients) {
            client.configure(queue, options);
        }
    }

    public synchronized void execute(String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    /** Executes a statement in each shard, whose tables it names without a schema. */
    public synchronized void everywhere(String sql, Object... values) {
        try {
            TestShards.everywhere(connection, sql, values);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    /** Returns the rows, each as a list of its columns. */
    public synchronized List<List<Object>> rows(String sql, Object... parameters) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            List<List<Object>> rows = new ArrayList<>();
            try (var result = statement.executeQuery()) {
                while (result.next()) {
                    List<Object> row = new ArrayList<>();
                    for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
                        row.add(result.getObject(column));
                    }
                    rows.add(row);
                }
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        clients.forEach(QueenClient::close);
        servers.forEach(Server::close);
        // Dropping the database ends the connection, too.
        database.close();
    }
}
