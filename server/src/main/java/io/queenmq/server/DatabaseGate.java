package io.queenmq.server;

import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.schema.Schema;
import io.queenmq.schema.Shards;
import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.config.ShardConfig;
import io.queenmq.server.postgres.JdbcSessions;
import java.net.SocketTimeoutException;
import java.security.cert.CertificateException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connects to PostgreSQL and installs the schema of this release. Blocks. Used by one thread at a time. */
final class DatabaseGate {
    /**
     * Connections of operators, redrives, upkeep, announcements, authentication, cluster discovery, and checks of silent
     * calls.
     */
    private static final int OTHER_CONNECTIONS = 10;

    private static final String CONNECTIONS_ALLOWED = """
            select case when r.rolsuper then m.count
                        else least(m.count - m.reserved, nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1)) end
            from (select current_setting('max_connections')::int as count,
                         current_setting('superuser_reserved_connections')::int as reserved) m
            cross join pg_roles r
            cross join pg_database d
            where r.rolname = current_user and d.datname = current_database()""";

    private final DatabaseConfig database;
    private final ShardConfig shards;
    private final DataSource sessions;
    private volatile String reason = "";
    private volatile boolean isSlow;

    DatabaseGate(DatabaseConfig database, ShardConfig shards) {
        this.database = database;
        this.shards = shards;
        this.sessions = JdbcSessions.of(database);
    }

    /**
     * Connects once, installs the schema, and returns the routines that this release calls and the shards of the database.
     * Returns null if PostgreSQL is unavailable, but a later attempt may succeed.
     */
    Schema.@Nullable Installed tryOpen() {
        try (Connection connection = sessions.getConnection()) {
            Schema.Installed installed = Schema.install(connection, shards.count(), shards.citus());
            // On Citus, most connections are to workers, each with its own limit. With one shard, a server also works with
            // fewer connections.
            if (installed.shards().count() > 1 && !installed.isOnCitus()) {
                requireConnections(connectionsAllowed(connection), installed.shards());
            }
            return installed;
        } catch (SQLException e) {
            if (!isRetryable(e)) {
                throw new StartException("PostgreSQL at " + address() + ": " + e.getMessage(), e);
            }
            reason = String.valueOf(e.getMessage());
            isSlow = isSlow(e);
            return null;
        }
    }

    /** Returns why the last attempt to connect failed. */
    String reason() {
        return reason;
    }

    /** Returns true if PostgreSQL may be available, but did not respond in time or is still starting. */
    boolean isSlow() {
        return isSlow;
    }

    private static boolean isSlow(SQLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException || String.valueOf(cause.getMessage()).contains("timed out")) {
                return true;
            }
        }
        return "57P03".equals(e.getSQLState()) || "53300".equals(e.getSQLState());
    }

    private static int connectionsAllowed(Connection connection) throws SQLException {
        try (var statement = connection.createStatement(); var rows = statement.executeQuery(CONNECTIONS_ALLOWED)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** With too few connections, some shards would never be connected, and would be reported as unavailable. */
    static void requireConnections(int allowed, Shards shards) {
        int needed = ShardConnections.sizeOfAll(shards) + OTHER_CONNECTIONS;
        if (needed > allowed) {
            throw new StartException("PostgreSQL allows " + allowed + " connections, but a server with "
                    + shards.count() + " shards needs " + needed
                    + "; raise max_connections, or the connection limit of the user or the database, to " + needed
                    + " for each server");
        }
    }

    /**
     * Returns true if a later attempt may succeed: PostgreSQL is not reachable, still starting, or has no free connection. A
     * certificate that was rejected stays rejected, and so does TLS that PostgreSQL does not support.
     */
    private static boolean isRetryable(SQLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return false;
            }
        }
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        return state.startsWith("08") && !state.equals("08004") || state.equals("57P03") || state.equals("53300");
    }

    String address() {
        return database.host() + ":" + database.port() + "/" + database.database();
    }
}
