package io.queenmq.engine.harness;

import io.queenmq.engine.config.ClusterConfig;
import io.queenmq.engine.config.EncryptionConfig;
import io.queenmq.engine.config.EngineConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The configuration of an engine in tests: the defaults of the server, with some settings replaced. Settings have the
 * names that operators use. An unknown name is rejected.
 */
public final class TestConfig {
    private static final Map<String, String> DEFAULTS = Map.ofEntries(Map.entry("DB_CONNECTION_TIMEOUT", "2000"),
            Map.entry("DB_STATEMENT_TIMEOUT", "30000"), Map.entry("DB_UNAVAILABLE_AFTER_MS", "5000"),
            Map.entry("DEDUP_WINDOW_SECONDS", "3600"), Map.entry("MAX_ANSWER_BYTES", "33554432"),
            Map.entry("MAX_CALLS_IN_FLIGHT", "1"), Map.entry("MAX_ITEMS_PER_TX", "500"),
            Map.entry("MICRO_BATCH_WAIT_MS", "0"), Map.entry("POP_MAX_BYTES", "8388608"),
            Map.entry("QUEEN_SYNC_HEARTBEAT_MS", "1000"), Map.entry("SEGMENT_CACHE_BYTES", "33554432"));

    private final Map<String, String> settings;

    private TestConfig(Map<String, String> settings) {
        this.settings = settings;
    }

    public static TestConfig of(Map<String, String> replaced) {
        if (!DEFAULTS.keySet().containsAll(replaced.keySet())) {
            throw new IllegalArgumentException("unknown setting in " + replaced.keySet());
        }
        Map<String, String> settings = new HashMap<>(DEFAULTS);
        settings.putAll(replaced);
        return new TestConfig(settings);
    }

    public EngineConfig engine() {
        return new EngineConfig(integer("MAX_ITEMS_PER_TX"), millis("MICRO_BATCH_WAIT_MS"),
                integer("MAX_CALLS_IN_FLIGHT"), 20_000, millis("DB_UNAVAILABLE_AFTER_MS"),
                Duration.ofSeconds(integer("DEDUP_WINDOW_SECONDS")), 100_000, 4_000_000, integer("SEGMENT_CACHE_BYTES"),
                integer("POP_MAX_BYTES"), integer("MAX_ANSWER_BYTES"), 20_000,
                new EngineConfig.PopWait(Duration.ofMillis(100), 3, 2, Duration.ofSeconds(1)));
    }

    public ClusterConfig cluster() {
        return new ClusterConfig(true, null, null, 6633, List.of(), millis("QUEEN_SYNC_HEARTBEAT_MS"),
                Duration.ofSeconds(5));
    }

    /** Returns a configuration without an encryption key. */
    public EncryptionConfig encryption() {
        return new EncryptionConfig(null, List.of());
    }

    public Duration connectTimeout() {
        return millis("DB_CONNECTION_TIMEOUT");
    }

    public Duration statementTimeout() {
        return millis("DB_STATEMENT_TIMEOUT");
    }

    public Duration reportEvery() {
        return Duration.ofSeconds(5);
    }

    private int integer(String name) {
        return Integer.parseInt(settings.get(name));
    }

    private Duration millis(String name) {
        return Duration.ofMillis(integer(name));
    }
}
