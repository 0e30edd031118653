package io.queenmq.server.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.connection.ConnectionPool;
import io.queenmq.engine.connection.Place;
import io.queenmq.engine.connection.Session;
import io.queenmq.schema.Schema;
import io.queenmq.schema.Shards;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.testkit.HostileDefaults;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sessions of every kind override the default settings of the database. */
class SessionSettingsTest {
    private static final String SETTINGS = """
            select name, case when unit is null then setting when setting = '-1' then setting
                              else (setting::bigint * case unit when 'kB' then 1024 else 1 end)::text end as setting
            from pg_settings""";

    private static final Schema.Installed INSTALLED = new Schema.Installed("queen_api", Shards.ONE, false);

    private static final Vertx vertx = Vertx.vertx();
    private static TestDatabase database;
    private static DatabaseConfig config;

    @BeforeAll
    static void setHostileDefaults() {
        database = TestPostgres.shared().createDatabase();
        HostileDefaults.set(database);
        config = ConfigReader.read(Map.of("PG_HOST", database.host(), "PG_PORT", Integer.toString(database.port()),
                "PG_DB", database.name(), "PG_USER", database.user(), "PG_PASSWORD", database.password(),
                "DB_STATEMENT_TIMEOUT", "30000", "DB_LOCK_TIMEOUT", "10000")).storage().database();
    }

    @AfterAll
    static void drop() {
        vertx.close().await();
        database.close();
    }

    @Test
    void sessionsOfTheEngineHaveTheirSettings() {
        for (ConnectionPool.Durability durability : ConnectionPool.Durability.values()) {
            Map<String, String> expected = expected();
            expected.putAll(Schema.SESSION_SETTINGS);
            expected.put("work_mem", Integer.toString(64 * 1024 * 1024));
            expected.put("synchronous_commit", durability == ConnectionPool.Durability.FLUSHED ? "on" : "off");
            expected.put("search_path", "queen_00, queen");
            Session session = new PgSessions(vertx, config, INSTALLED, durability, UUID.randomUUID(), "queen_00",
                    () -> new Place(config.host(), config.port())).open().await();

            assertThat(settings(session.ask(SETTINGS, Tuple.tuple()).await())).containsAllEntriesOf(expected);
            session.close().await();
        }
    }

    @Test
    void sessionsOfUpkeepHaveTheirSettings() {
        Map<String, String> expected = expected();
        expected.put("synchronous_commit", "off");
        expected.put("idle_session_timeout", "55000");
        expected.put("search_path", "queen_00, queen");

        assertThat(pooled(SessionOptions.forUpkeep(config, INSTALLED))).containsAllEntriesOf(expected);
    }

    @Test
    void sessionsOfOperatorsRedrivesAndTheListenerHaveTheirSettings() {
        Map<String, String> expected = expected();
        expected.put("search_path", "queen");
        expected.put("plan_cache_mode", "force_custom_plan");
        assertThat(pooled(SessionOptions.forOperators(config))).containsAllEntriesOf(expected);

        Map<String, String> redrives = new HashMap<>(expected);
        redrives.put("idle_in_transaction_session_timeout", "55000");
        assertThat(pooled(SessionOptions.forRedrives(config))).containsAllEntriesOf(redrives);

        Map<String, String> listener = new HashMap<>(expected);
        listener.put("idle_session_timeout", "55000");
        assertThat(pooled(SessionOptions.forListening(config))).containsAllEntriesOf(listener);
    }

    /** The JDBC driver sets time zone, encoding, date style and digits itself. */
    @Test
    void sessionsOfJdbcHaveTheirSettings() throws SQLException {
        Map<String, String> expected = expected();
        expected.keySet().removeAll(
                List.of("TimeZone", "client_encoding", "DateStyle", "extra_float_digits", "transaction_timeout"));
        expected.put("search_path", "pg_catalog");
        Map<String, String> found = new HashMap<>();
        try (Connection connection = JdbcSessions.of(config).getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(SETTINGS)) {
            while (rows.next()) {
                found.put(rows.getString(1), rows.getString(2));
            }
        }

        assertThat(found).containsAllEntriesOf(expected).containsEntry("client_encoding", "UTF8");
    }

    private static Map<String, String> expected() {
        Map<String, String> expected = new TreeMap<>(Schema.SESSION_DEFAULTS);
        expected.put("statement_timeout", "30000");
        expected.put("lock_timeout", "10000");
        if (TestPostgres.shared().versionNumber() >= 170_000) {
            expected.put("transaction_timeout", "0");
        }
        return expected;
    }

    private static Map<String, String> pooled(PgConnectOptions options) {
        SessionPool pool = new SessionPool(vertx, config, options, 1, 1);
        Map<String, String> found = pool
                .withConnection(connection -> connection.query(SETTINGS).execute().map(SessionSettingsTest::settings))
                .await();
        pool.close().await();
        return found;
    }

    private static Map<String, String> settings(Iterable<Row> rows) {
        Map<String, String> found = new HashMap<>();
        StreamSupport.stream(rows.spliterator(), false).forEach(row -> found.put(row.getString(0), row.getString(1)));
        return found;
    }
}
