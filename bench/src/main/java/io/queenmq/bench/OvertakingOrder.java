package io.queenmq.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The order of lanes that several connections pop from with autoAck. Nobody holds a lane then, so of two answers that
 * were under way at the same time the later part of a lane may arrive first. Inside an answer, and between a pop and
 * what had arrived before it was sent, the order of the lane holds as ever.
 */
final class OvertakingOrder implements DeliveryOrder {
    private final Lane[] lanes;
    private long sentNs;
    private int previousLane;
    private long previousSequence;

    OvertakingOrder(int lanes) {
        this.lanes = new Lane[lanes];
        for (int i = 0; i < lanes; i++) {
            this.lanes[i] = new Lane();
        }
    }

    @Override
    public void begin(long sentNs) {
        this.sentNs = sentNs;
        this.previousLane = -1;
    }

    @Override
    public String problemWith(PopAnswer.Message message) {
        if (!message.isOurs() || message.stream() >= lanes.length) {
            return NOT_SENT;
        }
        boolean isFollowing = message.stream() == previousLane;
        long due = isFollowing ? previousSequence + 1 : lanes[message.stream()].next;
        boolean isRight = lanes[message.stream()].accept(message.sequence(), sentNs)
                && (!isFollowing || message.sequence() == due);
        previousLane = message.stream();
        previousSequence = message.sequence();
        return isRight ? null : DeliveryOrder.wrong(message, due);
    }

    @Override
    public List<String> passedOver() {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < lanes.length; i++) {
            for (String gap : lanes[i].passOver()) {
                problems.add("lane " + i + ": " + gap + " did not come, but later ones did");
            }
        }
        return problems;
    }

    private static final class Lane {
        private final SortedSet<Long> early = new TreeSet<>();
        private long next;
        private long earlySinceNs;

        /** Says whether the message may come now, in answer to a request that was sent then. */
        boolean accept(long sequence, long sentNs) {
            if (sequence > next) {
                if (early.isEmpty()) {
                    earlySinceNs = System.nanoTime();
                }
                return early.add(sequence);
            }
            if (sequence < next) {
                return false;
            }
            boolean isAllowed = early.isEmpty() || sentNs - earlySinceNs < 0;
            next++;
            while (early.remove(next)) {
                next++;
            }
            return isAllowed;
        }

        /** Gives up what is missing before the last that came, and says what that is. */
        List<String> passOver() {
            List<String> gaps = new ArrayList<>();
            for (long sequence : early) {
                if (sequence > next) {
                    gaps.add("messages " + next + " to " + (sequence - 1));
                }
                next = sequence + 1;
            }
            early.clear();
            return gaps;
        }
    }
}
