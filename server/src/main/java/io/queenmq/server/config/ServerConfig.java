package io.queenmq.server.config;

import io.queenmq.engine.config.ClusterConfig;
import io.queenmq.engine.config.EncryptionConfig;
import io.queenmq.engine.config.EngineConfig;
import io.queenmq.engine.config.SpoolConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All settings of one server. */
public record ServerConfig(HttpConfig http, Storage storage, Access access, ClusterConfig cluster, EngineConfig engine,
        PopConfig pop, Operations operations) {

    /**
     * Where data is stored.
     *
     * @param data directory of the embedded PostgreSQL, and of the spool unless it has its own directory
     * @param database the host is null if the server starts the embedded PostgreSQL
     */
    public record Storage(Path data, DatabaseConfig database, ShardConfig shards, SpoolConfig spool) {
        public boolean isEmbedded() {
            return database.host() == null;
        }
    }

    /**
     * Who may use the server, and how payloads are encrypted.
     *
     * @param auth null if requests need neither a token nor an API key
     * @param keys null if API keys are not accepted
     */
    public record Access(@Nullable AuthConfig auth, @Nullable KeyConfig keys, EncryptionConfig encryption) {}

    /** @param shutdownGrace maximum time that shutdown waits for requests in progress */
    public record Operations(Logging logging, NumbersConfig numbers, UpkeepConfig upkeep, Duration shutdownGrace) {}

    /**
     * @param isJson true if each log line is a JSON object
     * @param warnings settings that are valid but probably wrong, as sentences
     */
    public record Logging(LogLevel level, boolean isJson, List<String> warnings) {}
}
