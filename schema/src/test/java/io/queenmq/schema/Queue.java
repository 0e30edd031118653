package io.queenmq.schema;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/** A queue with some of its options, as returned by the routines. */
record Queue(UUID id, String name, String namespace, String task, int leaseTimeS, int retryLimit, int retryDelayMs) {
    static Queue read(ResultSet rows) throws SQLException {
        return new Queue(rows.getObject("id", UUID.class), rows.getString("name"), rows.getString("namespace"),
                rows.getString("task"), rows.getInt("lease_time_s"), rows.getInt("retry_limit"),
                rows.getInt("retry_delay_ms"));
    }
}
