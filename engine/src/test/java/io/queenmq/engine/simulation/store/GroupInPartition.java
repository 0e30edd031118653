package io.queenmq.engine.simulation.store;

import java.util.List;
import java.util.UUID;

/** A group in a partition; either may not exist. */
record GroupInPartition(String queue, String partition, UUID partitionId, String group) {
    static UUID[] partitionIds(List<GroupInPartition> spots) {
        return spots.stream().map(GroupInPartition::partitionId).toArray(UUID[]::new);
    }

    static String[] groups(List<GroupInPartition> spots) {
        return spots.stream().map(GroupInPartition::group).toArray(String[]::new);
    }
}
