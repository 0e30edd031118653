package io.queenmq.engine.push;

import io.queenmq.engine.cipher.CipherException;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.numbers.PushRefusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The segment that one call appends to a partition, with the position of each pending push in it. Pending pushes stay in the
 * queue until the database confirms or rejects the call. Owned by the engine loop.
 */
final class PushDraft {
    private static final int NOT_ENCRYPTED = -1;

    private final SegmentDraft segment;
    private final List<PendingPush> covered = new ArrayList<>();
    private final List<Integer> places = new ArrayList<>();
    private final Map<Integer, String> encryptionErrors = new HashMap<>(0);
    private final DedupRule rule;
    private @Nullable Map<String, List<Integer>> coveredBy;

    PushDraft(SegmentDraft segment, DedupRule rule) {
        this.segment = segment;
        this.rule = rule;
    }

    SegmentDraft segment() {
        return segment;
    }

    /** Returns the number of pushes at the front of the queue that it covers. */
    int size() {
        return covered.size();
    }

    /**
     * Covers the next push of the queue. A message that is a duplicate of one in the draft is not stored.
     *
     * @param encryptionOrNull null if the message is stored as it is
     */
    void add(PendingPush next, @Nullable PayloadEncryption encryptionOrNull, PushPartition partition) {
        int original = originalOf(next);
        covered.add(next);
        if (original >= 0) {
            places.add(places.get(original));
            return;
        }
        try {
            PushItem item = encryptionOrNull == null
                    ? next.item()
                    : encryptionOrNull.encrypt(next.item(), partition, segment.nextOffset());
            if (next.isSpooled()) {
                segment.addSpooled(item, next.spooled().acceptedMicros());
            } else {
                segment.add(item);
            }
            places.add(segment.count() - 1);
            if (coveredBy != null) {
                addTo(coveredBy, covered.size() - 1);
            }
        } catch (CipherException e) {
            // Completed together with the others: no push is removed from the queue while the call is in flight.
            encryptionErrors.put(places.size(),
                    Objects.requireNonNullElse(e.getMessage(), "the payload cannot be encrypted"));
            places.add(NOT_ENCRYPTED);
        }
    }

    /** Returns the position of the covered message that makes this one a duplicate; -1 if there is none. */
    private int originalOf(PendingPush next) {
        if (rule.isOff() || covered.isEmpty()) {
            return -1;
        }
        Map<String, List<Integer>> index = coveredBy;
        if (index == null) {
            index = new HashMap<>();
            coveredBy = index;
            for (int i = 0; i < covered.size(); i++) {
                addTo(index, i);
            }
        }
        for (int each : index.getOrDefault(next.item().transactionId(), List.of())) {
            // Messages of producers are accepted together, when they are stored.
            if (!next.isSpooled() || rule.isWithinWindow(next.spooled().acceptedMicros(),
                    covered.get(each).spooled().acceptedMicros())) {
                return each;
            }
        }
        return -1;
    }

    private void addTo(Map<String, List<Integer>> index, int position) {
        if (places.get(position) != NOT_ENCRYPTED) {
            index.computeIfAbsent(covered.get(position).item().transactionId(), _ -> new ArrayList<>(1)).add(position);
        }
    }

    /** Returns true if it covers messages from a spool, and only those. */
    boolean isSpooled() {
        return !covered.isEmpty() && covered.getFirst().isSpooled();
    }

    List<PendingPush> covered() {
        return covered;
    }

    /** Completes every covered push, given the answer for the segment. */
    void complete(PushPartition partition, StoreAnswer answer) {
        int stored = answer instanceof StoreAnswer.Truncated truncated ? truncated.count() : segment.count();
        int next = 0;
        for (int i = 0; i < covered.size(); i++) {
            PendingPush pending = covered.get(i);
            int place = places.get(i);
            if (place == NOT_ENCRYPTED) {
                pending.failed(PushRefusal.ENCRYPTION, encryptionError(i));
            } else if (place >= stored) {
                pending.failed(PushRefusal.FULL, ((StoreAnswer.Truncated) answer).why());
            } else if (place == next) {
                pending.queued(partition.id(), answer.base() + place);
                next++;
            } else {
                pending.duplicateOf(partition.id(), segment.item(place).messageId());
            }
        }
    }

    private String encryptionError(int position) {
        return Objects.requireNonNull(encryptionErrors.get(position));
    }

    /** Returns the number of pushes that are completed with the first message of the segment: those up to and including it. */
    int sizeUpToFirst() {
        return places.indexOf(0) + 1;
    }

    /** Fails the first pushes: the only message of the segment is rejected, and those before it could not be encrypted. */
    void reject(int size, String error) {
        for (int i = 0; i < size; i++) {
            if (places.get(i) == NOT_ENCRYPTED) {
                covered.get(i).failed(PushRefusal.ENCRYPTION, encryptionError(i));
            } else {
                covered.get(i).failed(PushRefusal.REFUSED, error);
            }
        }
    }
}
