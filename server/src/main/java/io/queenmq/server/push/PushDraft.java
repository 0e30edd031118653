package io.queenmq.server.push;

import io.queenmq.server.cipher.CipherException;
import io.queenmq.server.numbers.PushRefusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What one call adds to a lane, and where in it stands who is at the front of the lane's line. Those in line stay there
 * until the database has said what became of the call. Owned by the engine loop.
 */
final class PushDraft {
    private static final int NOT_SEALED = -1;

    private final SegmentDraft segment;
    private final List<PendingPush> covered = new ArrayList<>();
    private final List<Integer> places = new ArrayList<>();
    private Map<String, Integer> placeOf;

    PushDraft(SegmentDraft segment) {
        this.segment = segment;
    }

    SegmentDraft segment() {
        return segment;
    }

    /** How many at the front of the line it covers. */
    int size() {
        return covered.size();
    }

    /** Covers the next in line. One whose transactionId the draft holds already is a duplicate of that one. */
    void add(PendingPush next, PushLane.Seal sealOrNull) {
        if (placeOf == null && !covered.isEmpty()) {
            placeOf = new HashMap<>();
            for (int i = 0; i < covered.size(); i++) {
                note(covered.get(i), places.get(i));
            }
        }
        Integer twin = placeOf == null ? null : placeOf.get(next.item().transactionId());
        covered.add(next);
        if (twin != null) {
            places.add(twin);
            return;
        }
        try {
            segment.add(sealOrNull == null ? next.item() : sealOrNull.seal(next.item()));
            places.add(segment.count() - 1);
            if (placeOf != null) {
                note(next, segment.count() - 1);
            }
        } catch (CipherException e) {
            // Told so when the others are: nobody leaves the line while the call is under way.
            next.setSealingError(Objects.requireNonNullElse(e.getMessage(), "the payload cannot be encrypted"));
            places.add(NOT_SEALED);
        }
    }

    private void note(PendingPush pending, int place) {
        if (place != NOT_SEALED) {
            placeOf.putIfAbsent(pending.item().transactionId(), place);
        }
    }

    /** The segment was stored, as far as there was room for it: everybody covered is told. */
    void tell(PushLane lane) {
        int told = 0;
        for (int i = 0; i < covered.size(); i++) {
            PendingPush pending = covered.get(i);
            int place = places.get(i);
            if (place == NOT_SEALED) {
                pending.failed(PushRefusal.ENCRYPTION, pending.sealingError());
            } else if (place >= segment.count()) {
                pending.failed(PushRefusal.FULL, segment.refusal());
            } else if (place == told) {
                pending.queued(lane.id());
                told++;
            } else {
                pending.duplicateOf(lane.id(), segment.item(place).messageId());
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
