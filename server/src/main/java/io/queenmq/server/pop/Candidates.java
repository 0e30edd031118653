package io.queenmq.server.pop;

import java.util.ArrayList;
import java.util.List;

/** Chooses what a pop tries to lease next: lanes whose turn it is, all of one shard, because one lease covers them. */
final class Candidates {
    private Candidates() {}

    /** They leave their lines. */
    static List<GroupLane> of(Pop pop, List<Backlog> where) {
        List<GroupLane> candidates = new ArrayList<>(1);
        int shard = pop.shard();
        for (Backlog backlog : where) {
            if (shard == ReadyLine.NONE) {
                shard = backlog.nextShard(pop.passedOver());
            }
            GroupLane lane = null;
            do {
                boolean isEnough = shard == ReadyLine.NONE || candidates.size() >= pop.candidatesWanted();
                lane = isEnough ? null : backlog.pollReady(shard);
                if (lane != null) {
                    candidates.add(lane);
                }
            } while (lane != null);
        }
        return candidates;
    }
}
