package io.queenmq.engine.push;

import java.util.ArrayList;
import java.util.List;

/** The segments that one database call appends, one for each turn that has something to store. Owned by the engine loop. */
final class BatchDrafts {
    private final List<SegmentDraft> segments;
    private final List<Integer> positions;
    private final StoreAnswer[] answers;

    BatchDrafts(List<PushTurn> turns, PayloadEncryption encryption) {
        segments = new ArrayList<>(turns.size());
        positions = new ArrayList<>(turns.size());
        answers = new StoreAnswer[turns.size()];
        for (int i = 0; i < answers.length; i++) {
            add(i, turns.get(i), encryption);
        }
    }

    private void add(int position, PushTurn turn, PayloadEncryption encryption) {
        if (!turn.partition().canDraft() || encryption.isDeleted(turn.partition())) {
            // Since the turn was planned, the window of the partition was dropped, or its queue was deleted: the partition has
            // to catch up. An earlier call may have stored something.
            turn.lost();
            answers[position] = StoreAnswer.NOT_STORED;
            return;
        }
        SegmentDraft segment = turn.newDraft(encryption.isRequiredFor(turn.partition()) ? encryption : null);
        if (segment.count() > 0) {
            positions.add(position);
            segments.add(segment);
        } else {
            answers[position] = StoreAnswer.NOTHING;
        }
    }

    boolean isEmpty() {
        return segments.isEmpty();
    }

    List<SegmentDraft> segments() {
        return segments;
    }

    /** Returns the answer for each turn, given the answer for each segment. */
    List<StoreAnswer> answers(List<StoreAnswer> ofSegments) {
        StoreAnswer[] all = answers.clone();
        for (int i = 0; i < ofSegments.size(); i++) {
            all[positions.get(i)] = ofSegments.get(i);
        }
        return List.of(all);
    }
}
