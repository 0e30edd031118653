package io.queenmq.server.simulation.store;

import java.util.List;
import java.util.UUID;

/** A group in a lane; either may not exist. */
record Spot(String queue, String lane, UUID laneId, String group) {
    static UUID[] laneIds(List<Spot> spots) {
        return spots.stream().map(Spot::laneId).toArray(UUID[]::new);
    }

    static String[] groups(List<Spot> spots) {
        return spots.stream().map(Spot::group).toArray(String[]::new);
    }
}
