package io.queenmq.server.cluster;

import io.queenmq.engine.config.Secret;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import javax.sql.DataSource;

/**
 * Which servers belong together: those on one database that have the same secret. A copy of a database is another database,
 * though the rows in it name the members of the first.
 *
 * @param name of the group; tells nothing of the key
 * @param key what members seal with
 */
record GroupIdentity(String name, Secret key) {
    private static final String KEY = "select key from queen.cluster_key";
    private static final String DATABASE = "select oid from pg_database where datname = current_database()";
    private static final String INSTALLATION = "select system_identifier from pg_control_system()";
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    /** @param secret null when the key that is kept in the database is to be used */
    static GroupIdentity read(DataSource sessions, Secret secret) throws SQLException {
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

    /** Differs between installations of PostgreSQL, but not between a server and its standbys; empty when it is kept from us. */
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
