package io.queenmq.engine.push;

import io.queenmq.engine.cipher.CipherException;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.numbers.PushRefusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What one call adds to a partition, and where in it stands who is at the front of the partition's line. Those in line stay there
 * until the database has said what became of the call. Owned by the engine loop.
 */
final class PushDraft {
    private static final int NOT_SEALED = -1;

    private final SegmentDraft segment;
    private final List<PendingPush> covered = new ArrayList<>();
    private final List<Integer> places = new ArrayList<>();
    private final DedupRule rule;
    private Map<String, List<Integer>> coveredBy;

    PushDraft(SegmentDraft segment, DedupRule rule) {
        this.segment = segment;
        this.rule = rule;
    }

    SegmentDraft segment() {
        return segment;
    }

    /** How many at the front of the line it covers. */
    int size() {
        return covered.size();
    }

    /** Covers the next in line. A message that is a duplicate of one in the draft is not stored. */
    void add(PendingPush next, PushPartition.Seal sealOrNull, PushPartition partition) {
        int original = originalOf(next);
        covered.add(next);
        if (original >= 0) {
            places.add(places.get(original));
            return;
        }
        try {
            PushItem item = sealOrNull == null
                    ? next.item()
                    : sealOrNull.seal(next.item(), partition, segment.nextOffset());
            if (next.isSpooled()) {
                segment.addSpooled(item, next.spooled().acceptedMicros());
            } else {
                segment.add(item);
            }
            places.add(segment.count() - 1);
            if (coveredBy != null) {
                note(covered.size() - 1);
            }
        } catch (CipherException e) {
            // Told so when the others are: nobody leaves the line while the call is under way.
            next.setSealingError(Objects.requireNonNullElse(e.getMessage(), "the payload cannot be encrypted"));
            places.add(NOT_SEALED);
        }
    }

    /** The position of the covered message that is stored and makes this one a duplicate; -1 if there is none. */
    private int originalOf(PendingPush next) {
        if (rule.isOff() || covered.isEmpty()) {
            return -1;
        }
        if (coveredBy == null) {
            coveredBy = new HashMap<>();
            for (int i = 0; i < covered.size(); i++) {
                note(i);
            }
        }
        for (int each : coveredBy.getOrDefault(next.item().transactionId(), List.of())) {
            // Messages that do not come from a spool are accepted together, when they are stored.
            if (!next.isSpooled() || rule.isWithinWindow(next.spooled().acceptedMicros(),
                    covered.get(each).spooled().acceptedMicros())) {
                return each;
            }
        }
        return -1;
    }

    private void note(int position) {
        if (places.get(position) != NOT_SEALED) {
            coveredBy.computeIfAbsent(covered.get(position).item().transactionId(), _ -> new ArrayList<>(1))
                    .add(position);
        }
    }

    /** Whether it covers messages from a spool, and only those. */
    boolean isSpooled() {
        return !covered.isEmpty() && covered.getFirst().isSpooled();
    }

    List<PendingPush> covered() {
        return covered;
    }

    /** The segment was stored, as far as there was room for it: everybody covered is told. */
    void tell(PushPartition partition) {
        int told = 0;
        for (int i = 0; i < covered.size(); i++) {
            PendingPush pending = covered.get(i);
            int place = places.get(i);
            if (place == NOT_SEALED) {
                pending.failed(PushRefusal.ENCRYPTION, pending.sealingError());
            } else if (place >= segment.count()) {
                pending.failed(PushRefusal.FULL, segment.refusal());
            } else if (place == told) {
                pending.queued(partition.id());
                told++;
            } else {
                pending.duplicateOf(partition.id(), segment.item(place).messageId());
            }
        }
    }

    /** How many in line have to be told, up to and with the one message that stands in the segment. */
    int sizeUpToFirst() {
        return places.indexOf(0) + 1;
    }

    /** The only message of the segment is refused; those that could not be sealed before it are told why. */
    void tellRefused(int size, String error) {
        for (int i = 0; i < size; i++) {
            PendingPush pending = covered.get(i);
            if (places.get(i) == NOT_SEALED) {
                pending.failed(PushRefusal.ENCRYPTION, pending.sealingError());
            } else {
                pending.failed(PushRefusal.REFUSED, error);
            }
        }
    }
}
