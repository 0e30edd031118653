package io.queenmq.server.upkeep;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Something that upkeep does again and again.
 *
 * @param name as metrics show it
 * @param isPerShard whether a pass runs once in every shard, or once for all of them
 * @param work one pass; it returns early when upkeep is to stop
 */
record UpkeepJob(String name, Duration interval, boolean isPerShard, Work work) {
    /** A job that runs in every shard. */
    UpkeepJob(String name, Duration interval, Work work) {
        this(name, interval, true, work);
    }

    /** One pass. */
    interface Work {
        void run(UpkeepSession session) throws TimeoutException;
    }
}
