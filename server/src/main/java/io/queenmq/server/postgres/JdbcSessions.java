package io.queenmq.server.postgres;

import io.queenmq.server.config.DatabaseConfig;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * Opens blocking sessions, for what happens seldom and on threads that may wait: making the database ready, and looking for
 * other servers in it. Safe from any thread.
 */
public final class JdbcSessions implements DataSource {
    private final DatabaseConfig database;

    public JdbcSessions(DatabaseConfig database) {
        this.database = database;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://" + address(), properties());
    }

    /** Where PostgreSQL is, in words. */
    public String address() {
        return database.host() + ":" + database.port() + "/" + database.database();
    }

    private Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("user", database.user());
        properties.setProperty("password", database.password());
        properties.setProperty("ApplicationName", "queen");
        properties.setProperty("connectTimeout", seconds(database.connectTimeout()));
        properties.setProperty("loginTimeout", seconds(database.connectTimeout()));
        // A connection that has gone silent ends the start, or is replaced, instead of being waited for.
        properties.setProperty("socketTimeout", seconds(SessionPool.silenceMax(database)));
        properties.setProperty("tcpKeepAlive", "true");
        if (database.useSsl()) {
            properties.setProperty("sslmode", database.rejectUnauthorized() ? "verify-full" : "prefer");
            // Trusts whom the JVM trusts, as the connections of the engine do.
            properties.setProperty("sslfactory", database.rejectUnauthorized()
                    ? "org.postgresql.ssl.DefaultJavaSSLFactory"
                    : "org.postgresql.ssl.NonValidatingFactory");
        } else {
            properties.setProperty("sslmode", "disable");
        }
        return properties;
    }

    private static String seconds(Duration duration) {
        return Long.toString(Math.max(1, duration.toSeconds()));
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("sessions are opened as the user of this server");
    }

    @Override
    public PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public int getLoginTimeout() {
        return Math.toIntExact(Math.max(1, database.connectTimeout().toSeconds()));
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
