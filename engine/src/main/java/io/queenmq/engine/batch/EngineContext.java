package io.queenmq.engine.batch;

import io.queenmq.engine.config.EngineConfig;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.time.Timers;

/**
 * The objects with which modules of the engine call PostgreSQL.
 *
 * @param apiSchema the schema of the routines of this release
 */
public record EngineContext(String apiSchema, ShardConnections connections, Timers timers, EngineConfig config,
        BatchMeters meters) {}
