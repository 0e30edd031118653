package io.queenmq.schema;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/** Plain SQL for tests, without checked exceptions. */
final class Rows {
    private Rows() {}

    static void execute(Connection connection, String sql) {
        try (var statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        } catch (SQLException e) {
            throw new SqlFailure(sql, e);
        }
    }

    static <T> List<T> list(Connection connection, Reader<T> reader, String sql, Object... values) {
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                if (values[i] instanceof String text) {
                    // The server determines the type: a routine has text parameters, and the driver would use varchar.
                    statement.setObject(i + 1, text, Types.OTHER);
                } else {
                    statement.setObject(i + 1, values[i]);
                }
            }
            var list = new ArrayList<T>();
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    list.add(reader.read(rows));
                }
            }
            return list;
        } catch (SQLException e) {
            throw new SqlFailure(sql, e);
        }
    }

    static List<String> strings(Connection connection, String sql, Object... values) {
        return list(connection, rows -> rows.getString(1), sql, values);
    }

    /** Returns the single value of the single row. */
    static long number(Connection connection, String sql, Object... values) {
        return list(connection, rows -> rows.getLong(1), sql, values).getFirst();
    }

    interface Reader<T> {
        T read(ResultSet rows) throws SQLException;
    }

    /** An error of PostgreSQL with its SQLSTATE. */
    static final class SqlFailure extends RuntimeException {
        private final String state;

        SqlFailure(String sql, SQLException cause) {
            super(cause.getMessage() + " in " + sql, cause);
            this.state = cause.getSQLState();
        }

        String state() {
            return state;
        }
    }
}
