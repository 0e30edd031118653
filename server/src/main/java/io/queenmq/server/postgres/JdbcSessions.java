package io.queenmq.server.postgres;

import io.queenmq.schema.Schema;
import io.queenmq.server.config.DatabaseConfig;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.NullUnmarked;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Opens blocking sessions for rare work on threads that may block: the installation of the schema and the discovery of other
 * servers.
 */
// NullAway cannot read the nullness of the driver: its annotations are not on the class path.
@NullUnmarked
public final class JdbcSessions {
    private JdbcSessions() {}

    /** Returns a data source without a pool: each connection is a new session. Safe from any thread. */
    public static DataSource of(DatabaseConfig database) {
        PGSimpleDataSource sessions = new PGSimpleDataSource();
        sessions.setServerNames(new String[]{database.host()});
        sessions.setPortNumbers(new int[]{database.port()});
        sessions.setDatabaseName(database.database());
        sessions.setUser(database.user());
        sessions.setPassword(database.password());
        sessions.setApplicationName("queen");
        sessions.setConnectTimeout(seconds(database.timeouts().connect()));
        sessions.setLoginTimeout(seconds(database.timeouts().connect()));
        // A silent connection fails instead of blocking its thread.
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

    /** Returns the settings of the session for its startup message. The driver sets the encoding itself. */
    private static String options(DatabaseConfig database) {
        Map<String, String> settings = new TreeMap<>(Schema.SESSION_DEFAULTS);
        settings.remove("client_encoding");
        settings.put("statement_timeout", Long.toString(database.timeouts().statement().toMillis()));
        settings.put("lock_timeout", Long.toString(database.timeouts().lock().toMillis()));
        settings.put("search_path", "pg_catalog");
        return settings.entrySet().stream()
                .map(setting -> "-c " + setting.getKey() + "=" + setting.getValue().replace(" ", "\\ "))
                .collect(Collectors.joining(" "));
    }

    private static int seconds(Duration duration) {
        return Math.toIntExact(Math.max(1, duration.toSeconds()));
    }
}
