package io.queenmq.server.upkeep;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Something that upkeep does again and again.
 *
 * @param name as metrics show it
 * @param work one pass; it returns early when upkeep is to stop
 */
record UpkeepJob(String name, Duration interval, Work work) {
    /** One pass. */
    interface Work {
        void run(UpkeepSession session) throws TimeoutException;
    }
}
