package io.queenmq.server.upkeep;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * A periodic job of upkeep.
 *
 * @param name the value of the tag kind in metrics; unique
 * @param interval the time from the end of one pass to the start of the next
 * @param isPerShard true if a pass runs once in every shard; false if one run covers all shards
 * @param work one pass; returns early when upkeep is stopping
 */
record UpkeepJob(String name, Duration interval, boolean isPerShard, Work work) {
    /** A job that runs in every shard. */
    UpkeepJob(String name, Duration interval, Work work) {
        this(name, interval, true, work);
    }

    /** Returns the shards in which a pass runs. */
    List<String> shardsOf(List<String> all) {
        return isPerShard ? all : all.subList(0, 1);
    }

    /** One pass in one shard. */
    interface Work {
        void run(UpkeepSession session) throws TimeoutException;
    }
}
