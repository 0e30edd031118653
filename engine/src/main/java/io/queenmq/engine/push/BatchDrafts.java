package io.queenmq.engine.push;

import io.queenmq.engine.push.PushRoutines.Storing;
import java.util.ArrayList;
import java.util.List;

/** The segments that one database call appends, one for each turn that has something to store. Owned by the engine loop. */
final class BatchDrafts {
    private final List<SegmentDraft> segments;
    private final List<Integer> positions;
    private final Storing[] storings;

    BatchDrafts(List<PushTurn> turns, Sealing sealing) {
        segments = new ArrayList<>(turns.size());
        positions = new ArrayList<>(turns.size());
        storings = new Storing[turns.size()];
        for (int i = 0; i < storings.length; i++) {
            add(i, turns.get(i), sealing);
        }
    }

    private void add(int position, PushTurn turn, Sealing sealing) {
        if (!turn.partition().canDraft() || sealing.isDeleted(turn.partition())) {
            // What was known of the partition was dropped since the turn was decided, or its queue was deleted: the partition has to
            // catch up. An earlier call may have stored something.
            turn.lost();
            storings[position] = Storing.NOT_DONE;
            return;
        }
        SegmentDraft segment = turn.newDraft(sealing);
        if (segment.count() > 0) {
            positions.add(position);
            segments.add(segment);
        } else {
            // Nothing of it could be encrypted, so there is nothing to store.
            storings[position] = Storing.DONE;
        }
    }

    boolean isEmpty() {
        return segments.isEmpty();
    }

    List<SegmentDraft> segments() {
        return segments;
    }

    /** Returns the outcome of each turn, given the outcome of each segment. */
    List<Storing> outcomes(List<Storing> ofSegments) {
        for (int i = 0; i < ofSegments.size(); i++) {
            storings[positions.get(i)] = ofSegments.get(i);
        }
        return List.of(storings);
    }
}
