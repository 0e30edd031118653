package io.queenmq.engine;

import io.queenmq.engine.catalog.Maintenance;
import io.queenmq.engine.cluster.ClusterReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of the engine at one moment, for health checks and operators.
 *
 * @param databaseProblem the error of PostgreSQL if it is connected and cannot execute calls; null otherwise
 * @param historyChange the last change of the history of the database, such as a failover; null if there was none since
 *        the server started
 * @param shardProblems one sentence for each unavailable shard, while others are available
 * @param cluster the peers
 * @param maintenance the operations that operators have switched off
 * @param keylessQueueCount encrypted queues for which this server has no key
 */
public record EngineStatus(boolean isDatabaseConnected, @Nullable String databaseProblem,
        @Nullable HistoryChange historyChange, List<String> shardProblems, ClusterReport cluster,
        Maintenance maintenance, int keylessQueueCount) {}
