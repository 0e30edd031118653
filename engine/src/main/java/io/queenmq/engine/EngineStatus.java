package io.queenmq.engine;

import io.queenmq.engine.catalog.Maintenance;
import io.queenmq.engine.cluster.ClusterReport;
import java.util.List;

/**
 * The state of the engine at one moment, for health checks and operators.
 *
 * @param databaseComplaint why PostgreSQL cannot work although it can be reached, in its own words; null when it can
 * @param historyChange the last change of the history of the database, such as a failover; null when there was none since
 *        the server started
 * @param shardTroubles one sentence for each shard that cannot work while others can
 * @param cluster the peers
 * @param maintenance what operators have switched off
 * @param keylessQueueCount encrypted queues for which this server has no key
 */
public record EngineStatus(boolean isDatabaseConnected, String databaseComplaint, HistoryChange historyChange,
        List<String> shardTroubles, ClusterReport cluster, Maintenance maintenance, int keylessQueueCount) {}
