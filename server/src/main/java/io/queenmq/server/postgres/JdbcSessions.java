package io.queenmq.server.postgres;

import io.queenmq.schema.Schema;
import io.queenmq.server.config.DatabaseConfig;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Where blocking sessions are opened, for what happens seldom and on threads that may wait: making the database ready, and
 * looking for other servers in it.
 */
public final class JdbcSessions {
    private JdbcSessions() {}

    /** Each connection it gives is a new session. Safe from any thread. */
    public static DataSource of(DatabaseConfig database) {
        PGSimpleDataSource sessions = new PGSimpleDataSource();
        sessions.setServerNames(new String[]{database.host()});
        sessions.setPortNumbers(new int[]{database.port()});
        sessions.setDatabaseName(database.database());
        sessions.setUser(database.user());
        sessions.setPassword(database.password());
        sessions.setApplicationName("queen");
        sessions.setConnectTimeout(seconds(database.connectTimeout()));
        sessions.setLoginTimeout(seconds(database.connectTimeout()));
        // A connection that has gone silent ends the start, or is replaced, instead of being waited for.
        sessions.setSocketTimeout(seconds(SessionPool.silenceMax(database)));
        sessions.setTcpKeepAlive(true);
        sessions.setOptions(options(database));
        sessions.setSslMode(database.tls().mode().text());
        sessions.setSslfactory(JdbcSocketFactory.class.getName());
        database.tls().rootCertificate().ifPresent(root -> sessions.setSslRootCert(root.toString()));
        database.tls().client().ifPresent(client -> {
            sessions.setSslCert(client.certificate().toString());
            sessions.setSslKey(client.key().toString());
        });
        return sessions;
    }

    /** What the server is told about the session when it is opened. The driver sets the encoding itself. */
    private static String options(DatabaseConfig database) {
        Map<String, String> settings = new TreeMap<>(Schema.SESSION_DEFAULTS);
        settings.remove("client_encoding");
        settings.put("statement_timeout", Long.toString(database.statementTimeout().toMillis()));
        settings.put("lock_timeout", Long.toString(database.lockTimeout().toMillis()));
        settings.put("search_path", "pg_catalog");
        return settings.entrySet().stream()
                .map(setting -> "-c " + setting.getKey() + "=" + setting.getValue().replace(" ", "\\ "))
                .collect(Collectors.joining(" "));
    }

    private static int seconds(Duration duration) {
        return Math.toIntExact(Math.max(1, duration.toSeconds()));
    }
}
