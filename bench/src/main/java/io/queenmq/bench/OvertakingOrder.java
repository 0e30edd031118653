package io.queenmq.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The order of partitions that several connections pop from with autoAck. Nobody holds a partition then, so of two answers that
 * were under way at the same time the later part of a partition may arrive first. Inside an answer, and between a pop and
 * what had arrived before it was sent, the order of the partition holds as ever.
 */
final class OvertakingOrder implements DeliveryOrder {
    private final Partition[] partitions;
    private long sentNs;
    private int previousPartition;
    private long previousSequence;

    OvertakingOrder(int partitions) {
        this.partitions = new Partition[partitions];
        for (int i = 0; i < partitions; i++) {
            this.partitions[i] = new Partition();
        }
    }

    @Override
    public void begin(long sentNs) {
        this.sentNs = sentNs;
        this.previousPartition = -1;
    }

    @Override
    public @Nullable String problemWith(PopAnswer.Message message) {
        if (!message.isOurs() || message.stream() >= partitions.length) {
            return NOT_SENT;
        }
        boolean isFollowing = message.stream() == previousPartition;
        long due = isFollowing ? previousSequence + 1 : partitions[message.stream()].next;
        boolean isRight = partitions[message.stream()].accept(message.sequence(), sentNs)
                && (!isFollowing || message.sequence() == due);
        previousPartition = message.stream();
        previousSequence = message.sequence();
        return isRight ? null : DeliveryOrder.wrong(message, due);
    }

    @Override
    public List<String> passedOver() {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < partitions.length; i++) {
            for (String gap : partitions[i].passOver()) {
                problems.add("partition " + i + ": " + gap + " did not come, but later ones did");
            }
        }
        return problems;
    }

    private static final class Partition {
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
