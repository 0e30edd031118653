package io.queenmq.engine.pop;

import java.util.ArrayList;
import java.util.List;

/** Chooses what a pop tries to lease next: partitions whose turn it is, all of one shard, because one lease covers them. */
final class Candidates {
    private Candidates() {}

    /** They leave their lines. */
    static List<GroupPartition> of(Pop pop, List<Backlog> where) {
        List<GroupPartition> candidates = new ArrayList<>(1);
        int shard = pop.shard();
        for (Backlog backlog : where) {
            if (shard == ReadyLine.NONE) {
                shard = backlog.nextShard(pop.passedOver());
            }
            GroupPartition partition = null;
            do {
                boolean isEnough = shard == ReadyLine.NONE || candidates.size() >= pop.candidatesWanted();
                partition = isEnough ? null : backlog.pollReady(shard);
                if (partition != null) {
                    candidates.add(partition);
                }
            } while (partition != null);
        }
        return candidates;
    }
}
