package io.queenmq.server.postgres;

import io.queenmq.server.config.DatabaseConfig;
import java.time.Duration;
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
        if (database.useSsl()) {
            sessions.setSslMode(database.rejectUnauthorized() ? "verify-full" : "prefer");
            // Trusts whom the JVM trusts, as the connections of the engine do.
            sessions.setSslfactory(database.rejectUnauthorized()
                    ? "org.postgresql.ssl.DefaultJavaSSLFactory"
                    : "org.postgresql.ssl.NonValidatingFactory");
        } else {
            sessions.setSslMode("disable");
        }
        return sessions;
    }

    private static int seconds(Duration duration) {
        return Math.toIntExact(Math.max(1, duration.toSeconds()));
    }
}
