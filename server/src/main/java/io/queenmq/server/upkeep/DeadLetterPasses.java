package io.queenmq.server.upkeep;

import io.queenmq.server.upkeep.FullSweeps.Place;
import io.queenmq.server.upkeep.KeyRoutines.EncryptedQueue;
import io.queenmq.server.upkeep.KeyRoutines.StoredDeadLetter;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which dead letters of a queue are read next. A pass that ran out of time is resumed, unless the current key has
 * changed. A new pass reads all dead letters when the current key has changed or a full pass is due; otherwise only those that
 * failed since the last pass. Owned by the upkeep thread.
 */
final class DeadLetterPasses {
    /** Longer than any transaction that adds dead letters may take. */
    private static final Duration COMMITTED_WITHIN = Duration.ofHours(1);

    private final FullSweeps fullSweeps = new FullSweeps();
    private final Map<Place, Pass> unfinished = new HashMap<>();

    /** One pass through the dead letters of a queue in a shard. */
    static final class Pass {
        private final OffsetDateTime startedAt;
        private final @Nullable OffsetDateTime since;
        private final String keyId;
        private final OtherKeys others = new OtherKeys();
        private @Nullable StoredDeadLetter last;

        private Pass(OffsetDateTime startedAt, @Nullable OffsetDateTime since, String keyId) {
            this.startedAt = startedAt;
            this.since = since;
            this.keyId = keyId;
        }

        OffsetDateTime startedAt() {
            return startedAt;
        }

        /** Returns the time from which dead letters are read; null if all are read. */
        @Nullable
        OffsetDateTime since() {
            return since;
        }

        boolean isFull() {
            return since == null;
        }

        /** Returns the key that is current in this pass. */
        String keyId() {
            return keyId;
        }

        /** Returns the counts of dead letters that keep another key. */
        OtherKeys others() {
            return others;
        }

        /** Returns the last dead letter that was read, after which the pass continues; null at its beginning. */
        @Nullable
        StoredDeadLetter last() {
            return last;
        }

        void read(StoredDeadLetter letter) {
            last = letter;
        }
    }

    /** Returns the pass to continue, which may be a new one. */
    Pass next(Place place, EncryptedQueue queue, String currentKeyId, long nowNs) {
        Pass pass = unfinished.get(place);
        if (pass == null || !pass.keyId.equals(currentKeyId)) {
            OffsetDateTime readTo = queue.lettersTo();
            boolean isFull = !currentKeyId.equals(queue.lettersKey()) || fullSweeps.isDue(place, nowNs);
            OffsetDateTime since = isFull || readTo == null ? null : readTo.minus(COMMITTED_WITHIN);
            pass = new Pass(queue.now(), since, currentKeyId);
            unfinished.put(place, pass);
        }
        return pass;
    }

    /**
     * Must be called when a pass has read its last dead letter.
     *
     * @param nowNs the time that was passed to {@link #next}
     * @param areLeft true if some dead letters are still to be encrypted again
     */
    void ended(Place place, Pass pass, long nowNs, boolean areLeft) {
        unfinished.remove(place);
        if (pass.isFull()) {
            fullSweeps.ended(place, nowNs, areLeft);
        }
    }
}
