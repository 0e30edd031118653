package io.queenmq.server.cluster;

import io.queenmq.engine.config.Secret;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a group of servers: the servers of one database that have the same secret. A copy of a database is a different
 * database, although its rows list the members of the original.
 *
 * @param name the name of the group; reveals nothing about the key
 * @param key the key with which members seal frames
 */
record GroupIdentity(String name, Secret key) {
    private static final String KEY = "select key from queen.cluster_key";
    private static final String DATABASE = "select oid from pg_database where datname = current_database()";
    private static final String INSTALLATION = "select system_identifier from pg_control_system()";
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    /** @param secret null to use the key that is stored in the database */
    static GroupIdentity read(DataSource sessions, @Nullable Secret secret) throws SQLException {
        try (Connection session = sessions.getConnection(); Statement statement = session.createStatement()) {
            byte[] root = secret == null ? keyIn(statement) : secret.bytes();
            return of(root, number(statement, DATABASE) + "@" + installation(statement));
        }
    }

    static GroupIdentity of(byte[] root, String database) {
        byte[] name = Seal.hmac(root, ("queen group " + database).getBytes(StandardCharsets.UTF_8));
        byte[] key = Seal.hmac(root, ("queen key " + database).getBytes(StandardCharsets.UTF_8));
        return new GroupIdentity("queen-" + HexFormat.of().formatHex(name, 0, 8), new Secret(key));
    }

    private static byte[] keyIn(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery(KEY)) {
            rows.next();
            return rows.getBytes(1);
        }
    }

    /**
     * Returns the identifier of the PostgreSQL installation, which its standbys share; empty if the privilege to read it is
     * missing.
     */
    private static String installation(Statement statement) throws SQLException {
        try {
            return number(statement, INSTALLATION);
        } catch (SQLException e) {
            if (!INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
                throw e;
            }
            return "";
        }
    }

    private static String number(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
