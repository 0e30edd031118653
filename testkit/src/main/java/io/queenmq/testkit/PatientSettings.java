package io.queenmq.testkit;

import java.util.Map;

/**
 * For servers in tests: a machine that stands still for some seconds is no reason to give up, nor to keep pushes on disk, and
 * servers know nothing of each other, unless that is what a test is about. Databases have the shards that {@link TestShards} says.
 */
public final class PatientSettings {
    public static final Map<String, String> ALL = Map.of("DB_UNAVAILABLE_AFTER_MS", "60000", "DB_CONNECTION_TIMEOUT",
            "60000", "DB_STATEMENT_TIMEOUT", "120000", "DB_LOCK_TIMEOUT", "60000", "QUEEN_SYNC_ENABLED", "false",
            "SPOOL_ENABLED", "false", "QUEEN_SHARDS", Integer.toString(TestShards.COUNT));

    private PatientSettings() {}
}
