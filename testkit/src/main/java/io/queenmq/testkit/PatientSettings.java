package io.queenmq.testkit;

import java.util.Map;

/**
 * Settings of servers in tests. The timeouts are long, so that a busy machine does not cause errors or use of the
 * spool. Synchronization between servers is off unless a test enables it. The number of shards is {@link
 * TestShards#COUNT}.
 */
public final class PatientSettings {
    public static final Map<String, String> ALL = Map.of("DB_UNAVAILABLE_AFTER_MS", "60000", "DB_CONNECTION_TIMEOUT",
            "60000", "DB_STATEMENT_TIMEOUT", "120000", "DB_LOCK_TIMEOUT", "60000", "QUEEN_SYNC_ENABLED", "false",
            "SPOOL_ENABLED", "false", "QUEEN_SHARDS", Integer.toString(TestShards.COUNT));

    private PatientSettings() {}
}
