package io.queenmq.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The order of partitions that several connections pop from with autoAck. Without leases, the
 * later part of a partition may arrive first if two responses are in flight at the same time. The order must hold within a
 * response, and between a pop and all responses that arrived before it was sent.
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
                problems.add("partition " + i + ": " + gap + " were not delivered, but later ones were");
            }
        }
        return problems;
    }

    private static final class Partition {
        private final SortedSet<Long> early = new TreeSet<>();
        private long next;
        private long earlySinceNs;

        /** Returns true if the message may arrive in the response to a request that was sent at this time. */
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

        /** Returns the messages that are missing before the last received one, and stops waiting for them. */
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
