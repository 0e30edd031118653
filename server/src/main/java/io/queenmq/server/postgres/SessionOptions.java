package io.queenmq.server.postgres;

import io.queenmq.engine.connection.ConnectionPool;
import io.queenmq.schema.Schema;
import io.queenmq.schema.Shards;
import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.config.PostgresTls;
import io.vertx.core.Future;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import io.vertx.sqlclient.SqlConnection;
import java.util.HashMap;
import java.util.Map;

/** The connection options and session settings of the kinds of sessions that this server opens. */
public final class SessionOptions {
    private SessionOptions() {}

    /**
     * Returns the options of the engine: plans by index, which are cached for the life of the session.
     *
     * @param schema the schema of tables that a statement names without one
     */
    static PgConnectOptions forEngine(DatabaseConfig database, Schema.Installed installed,
            ConnectionPool.Durability durability, String schema) {
        Map<String, String> settings = settings(database);
        settings.put("synchronous_commit", durability == ConnectionPool.Durability.FLUSHED ? "on" : "off");
        settings.putAll(installed.sessionSettings());
        settings.put("search_path", Shards.path(schema));
        return options(database, settings).setPipeliningLimit(1);
    }

    /**
     * Returns the options of upkeep: plans as for the engine, and commits that do not wait for the disk, because upkeep repeats
     * work that a crash undoes. The session has the lock of upkeep, so PostgreSQL must end it when its server has become silent.
     * It starts in the first shard.
     */
    public static PgConnectOptions forUpkeep(DatabaseConfig database, Schema.Installed installed) {
        return forEngine(database, installed, ConnectionPool.Durability.RELAXED, Shards.name(0))
                .addProperty("idle_session_timeout", silenceMaxMs(database));
    }

    /**
     * Returns the options for operators. Every call is planned with its arguments, because the same query may concern ten
     * partitions or a million. Statements read all shards as one.
     */
    public static PgConnectOptions forOperators(DatabaseConfig database) {
        Map<String, String> settings = settings(database);
        settings.put("search_path", Shards.ALL);
        settings.put("plan_cache_mode", "force_custom_plan");
        settings.put("jit", "off");
        return options(database, settings);
    }

    /**
     * Returns the options for redrives, which keep a transaction open while they push. PostgreSQL ends the session when this
     * server has become silent, so that another server can continue.
     */
    public static PgConnectOptions forRedrives(DatabaseConfig database) {
        return forOperators(database).addProperty("idle_in_transaction_session_timeout", silenceMaxMs(database));
    }

    /** Returns the options for a session that is idle most of the time. PostgreSQL ends it if it has no heartbeat. */
    public static PgConnectOptions forListening(DatabaseConfig database) {
        return forOperators(database).addProperty("idle_session_timeout", silenceMaxMs(database));
    }

    /** Completes with the connection when transactions on it may take any time. A connection that fails is closed. */
    static Future<SqlConnection> liftTransactionTimeout(SqlConnection connection) {
        return connection.query(Schema.LIFT_TRANSACTION_TIMEOUT).execute().map(connection)
                .onFailure(_ -> connection.close());
    }

    /** Longer than this server waits for a response: by then, a running server has opened another session. */
    private static String silenceMaxMs(DatabaseConfig database) {
        return Long.toString(SessionPool.silenceMax(database).plusSeconds(20).toMillis());
    }

    private static PgConnectOptions options(DatabaseConfig database, Map<String, String> settings) {
        PgConnectOptions options = new PgConnectOptions().setHost(database.host()).setPort(database.port())
                .setDatabase(database.database()).setUser(database.user()).setPassword(database.password())
                .setCachePreparedStatements(true).setPreparedStatementCacheMaxSize(64)
                .setPreparedStatementCacheSqlLimit(4096);
        options.setSslMode(SslMode.of(database.tls().mode().text())).setSslOptions(tls(database.tls()));
        options.setProperties(settings);
        return options;
    }

    private static ClientSSLOptions tls(PostgresTls tls) {
        ClientSSLOptions options = new ClientSSLOptions().setTrustAll(!tls.isVerified())
                .setHostnameVerificationAlgorithm(tls.mode() == PostgresTls.Mode.VERIFY_FULL ? "HTTPS" : "");
        tls.rootCertificate()
                .ifPresent(root -> options.setTrustOptions(new PemTrustOptions().addCertPath(root.toString())));
        tls.client().ifPresent(client -> options.setKeyCertOptions(new PemKeyCertOptions()
                .addCertPath(client.certificate().toString()).addKeyPath(client.key().toString())));
        return options;
    }

    private static Map<String, String> settings(DatabaseConfig database) {
        Map<String, String> settings = new HashMap<>(Schema.SESSION_DEFAULTS);
        settings.put("application_name", "queen");
        settings.put("statement_timeout", Long.toString(database.timeouts().statement().toMillis()));
        settings.put("lock_timeout", Long.toString(database.timeouts().lock().toMillis()));
        return settings;
    }
}
