package io.queenmq.engine.simulation.store;

import java.util.List;
import java.util.UUID;

/** A group in a partition; either may not exist. */
record Spot(String queue, String partition, UUID partitionId, String group) {
    static UUID[] partitionIds(List<Spot> spots) {
        return spots.stream().map(Spot::partitionId).toArray(UUID[]::new);
    }

    static String[] groups(List<Spot> spots) {
        return spots.stream().map(Spot::group).toArray(String[]::new);
    }
}
