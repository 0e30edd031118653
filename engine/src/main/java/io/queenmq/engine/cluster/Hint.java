package io.queenmq.engine.cluster;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What one server tells another. Losing, delaying or doubling any of these costs time at most. Immutable. */
public sealed interface Hint {
    /**
     * Who the sender is, and of which queues it wants to hear.
     *
     * @param edition grows whenever another introduction would be different
     * @param startedAtMs in milliseconds since 1970, by the sender's clock
     * @param isEverything the sender wants to hear of every queue, because it reads too many to name them
     * @param isLeaving the sender is about to stop, and wants to hear of nothing any more
     */
    record Introduction(long edition, String name, String version, long startedAtMs, boolean isEverything,
            Set<String> queues, boolean isLeaving) implements Hint {
        public Introduction {
            queues = Set.copyOf(queues);
        }

        boolean isInterestedIn(String queue) {
            return isEverything || queues.contains(queue);
        }
    }

    /** Please introduce yourself again: what is known of you is not your latest edition. */
    record Question() implements Hint {}

    /**
     * The sender is alive.
     *
     * @param sentNs by the sender's clock; it comes back in the echo
     */
    record Beat(long edition, long sentNs) implements Hint {}

    /** The answer to a beat. */
    record Echo(long sentNs) implements Hint {}

    /** What happened in partitions during one turn of the sender's engine loop. */
    record Arrival(List<PushedQueue> pushed, List<FreePartition> freed) implements Hint {
        public Arrival {
            pushed = List.copyOf(pushed);
            freed = List.copyOf(freed);
        }
    }

    /** Something may have come into the queue's partition, or into any of its partitions when it is null. */
    record Ring(String queue, String partition) implements Hint {}

    /** Queues, pauses, cursors or the state of the system were changed: look again. */
    record CatalogChange() implements Hint {}

    /**
     * Messages were stored in partitions of a queue.
     *
     * @param queueId another one than the receiver knows means that the queue was deleted and created again
     */
    record PushedQueue(String queue, UUID queueId, List<PartitionHead> partitions) {
        public PushedQueue {
            partitions = List.copyOf(partitions);
        }
    }

    /** Messages were stored in a partition; head is its next offset. */
    record PartitionHead(String partition, long head) {}

    /** A group's lease in a partition is over. */
    record FreePartition(UUID partitionId, String group) {}
}
