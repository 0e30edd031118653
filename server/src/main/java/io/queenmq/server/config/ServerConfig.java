package io.queenmq.server.config;

import io.queenmq.engine.config.ClusterConfig;
import io.queenmq.engine.config.EncryptionConfig;
import io.queenmq.engine.config.EngineConfig;
import io.queenmq.engine.config.SpoolConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All settings of one server.
 *
 * @param data directory of the embedded PostgreSQL, and of the spool unless it has its own directory
 * @param database the host is null if the server starts the embedded PostgreSQL
 * @param statsInterval interval at which totals over partitions are refreshed
 * @param shutdownGrace maximum time that shutdown waits for requests in progress
 * @param auth null if requests need neither a token nor an API key
 * @param keys null if API keys are not accepted
 * @param warnings settings that are valid but probably wrong, as sentences
 */
public record ServerConfig(HttpConfig http, LogLevel logLevel, Path data, DatabaseConfig database, ShardConfig shards,
        ClusterConfig cluster, EngineConfig engine, SpoolConfig spool, PopConfig pop, Duration statsInterval,
        NumbersConfig numbers, UpkeepConfig upkeep, Duration shutdownGrace, EncryptionConfig encryption,
        @Nullable AuthConfig auth, @Nullable KeyConfig keys, List<String> warnings) {

    public boolean isEmbedded() {
        return database.host() == null;
    }
}
