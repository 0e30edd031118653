package io.queenmq.dashboard.tests;

import io.queenmq.schema.Schema;
import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.testkit.PatientSettings;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import io.queenmq.testkit.TestShards;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/** A server with example data, shared by all tests of a run. Tests that change data use separate queues. */
final class Board {
    private static final Map<String, String> SETTINGS = Map.of("PORT", "0", "HOST", "127.0.0.1", "STATS_INTERVAL_MS",
            "500", "METRICS_REPORT_INTERVAL_MS", "1000", "WORKER_ID", "queen-1", "QUEEN_ENCRYPTION_KEY",
            "0123456789abcdef".repeat(4));

    private final TestDatabase database;
    private final Map<String, String> environment = new HashMap<>(PatientSettings.ALL);
    private final Server server;
    private final QueenClient queen;

    private Board(Map<String, String> settings) {
        int shards = TestShards.count(settings);
        database = TestPostgres.shared().cloneOf("dashboard-" + shards,
                connection -> Schema.install(connection, OptionalInt.of(shards)));
        environment.putAll(SETTINGS);
        environment.putAll(settings);
        environment.putAll(Map.of("PG_HOST", database.host(), "PG_PORT", String.valueOf(database.port()), "PG_DB",
                database.name(), "PG_USER", database.user(), "PG_PASSWORD", database.password()));
        server = Server.start(ConfigReader.read(environment));
        queen = new QueenClient(server.url());
    }

    /** Returns the server with the example data, without authentication. */
    static Board shared() {
        return Shared.BOARD;
    }

    /** Returns a server without data. The caller closes it. */
    static Board with(Map<String, String> settings) {
        return new Board(settings);
    }

    /** Returns another server on the same database. The caller closes it. */
    Server startAnother(String workerId) {
        Map<String, String> settings = new HashMap<>(environment);
        settings.put("WORKER_ID", workerId);
        return Server.start(ConfigReader.read(settings));
    }

    String url() {
        return server.url();
    }

    QueenClient queen() {
        return queen;
    }

    TestDatabase database() {
        return database;
    }

    void close() {
        queen.close();
        server.close();
        database.close();
    }

    private static final class Shared {
        private static final Board BOARD = open();

        private static Board open() {
            Board board = new Board(Map.of());
            new Shop(board.queen, board.database).open();
            Runtime.getRuntime().addShutdownHook(new Thread(board::close));
            return board;
        }
    }
}
