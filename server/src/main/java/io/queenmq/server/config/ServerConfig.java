package io.queenmq.server.config;

import io.queenmq.engine.config.ClusterConfig;
import io.queenmq.engine.config.EncryptionConfig;
import io.queenmq.engine.config.EngineConfig;
import io.queenmq.engine.config.SpoolConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * All settings of one server.
 *
 * @param data where the PostgreSQL that Queen brings along keeps its data, and the spool is unless another place is named
 * @param database its host is null when no PostgreSQL is named, and Queen is to start its own
 * @param statsInterval how often sums over partitions are refreshed
 * @param shutdownGrace how long requests under way have to end
 * @param auth null when everybody may do everything
 * @param keys null when no API keys are accepted
 * @param warnings what is legal but probably not meant, in words
 */
public record ServerConfig(HttpConfig http, LogLevel logLevel, Path data, DatabaseConfig database,
        ShardConfig shards, ClusterConfig cluster, EngineConfig engine, SpoolConfig spool, PopConfig pop,
        Duration statsInterval,
        NumbersConfig numbers, UpkeepConfig upkeep, Duration shutdownGrace,
        EncryptionConfig encryption, AuthConfig auth, KeyConfig keys,
        List<String> warnings) {

    public boolean isEmbedded() {
        return database.host() == null;
    }
}
