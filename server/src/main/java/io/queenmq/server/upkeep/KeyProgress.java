package io.queenmq.server.upkeep;

import io.queenmq.engine.cipher.Reencryption;
import io.queenmq.engine.cipher.Reencryption.Run;
import io.queenmq.server.upkeep.KeyRoutines.EncryptedQueue;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The progress of the key sweep in one shard since this server runs upkeep. Decides which messages are read, and when keys are
 * counted. Owned by the upkeep thread.
 */
final class KeyProgress {
    private static final Duration COUNT_EVERY = Duration.ofMinutes(10);
    private static final Duration READ_ALL_EVERY = Duration.ofHours(1);
    /** Longer than any transaction that pushes may take. */
    private static final Duration COMMITTED_WITHIN = Duration.ofHours(1);

    private long countedNs;
    private long allReadNs;
    private boolean isCounted;
    private boolean isAllRead;
    private boolean isChanged;

    /** Returns true if the partitions of all queues are due, and not only those with new messages. */
    boolean isFullReadDue(long nowNs) {
        return !isAllRead || nowNs - allReadNs >= READ_ALL_EVERY.toNanos();
    }

    /** Returns the time from which partitions of a queue are read; null if all of them are. */
    static @Nullable OffsetDateTime since(EncryptedQueue queue, boolean isFullRead) {
        return isFullRead || queue.checkedAt() == null ? null : queue.checkedAt().minus(COMMITTED_WITHIN);
    }

    /** Must be called when the partitions of all queues were read. */
    void allRead(long nowNs) {
        isAllRead = true;
        allReadNs = nowNs;
    }

    /** Must be called when recorded keys have changed. */
    void changed() {
        isChanged = true;
    }

    /** Returns true if keys have to be counted: after a change, and from time to time because retention removes messages. */
    boolean isCountDue(long nowNs) {
        return isChanged || !isCounted || nowNs - countedNs >= COUNT_EVERY.toNanos();
    }

    void counted(long nowNs) {
        isCounted = true;
        isChanged = false;
        countedNs = nowNs;
    }

    /**
     * Adds the parts of runs between two offsets. The bytes of a run that is cut are divided in proportion.
     *
     * @param runs receives the parts
     * @param end exclusive
     */
    static void addWithin(List<Run> runs, List<Run> found, long first, long end) {
        for (Run run : found) {
            long from = Math.max(first, run.first());
            long to = Math.min(end, run.end());
            if (from < to) {
                long bytes = run.bytes() * (to - from) / (run.end() - run.first());
                Reencryption.add(runs, new Run(from, to, run.keyId(), run.isBound(), bytes));
            }
        }
    }
}
