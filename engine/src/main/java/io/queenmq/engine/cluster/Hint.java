package io.queenmq.engine.cluster;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An advisory message from one server to another. A lost, delayed or duplicated hint costs only time. Immutable. */
public sealed interface Hint {
    /**
     * Describes the sender, and the queues for which it subscribes to hints.
     *
     * @param edition increases with every change of the introduction
     * @param startedAtMs in milliseconds since 1970, by the sender's clock
     * @param isEverything true if the sender subscribes to every queue, because it reads too many to list
     * @param isLeaving true if the sender is about to stop, and subscribes to no queue
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

    /** Requests an introduction, because the known one is not the latest edition. */
    record IntroductionRequest() implements Hint {}

    /**
     * The sender is alive.
     *
     * @param sentNs by the sender's clock; the reply repeats it
     */
    record Heartbeat(long edition, long sentNs) implements Hint {}

    /** The reply to a heartbeat. */
    record HeartbeatReply(long sentNs) implements Hint {}

    /** Events of partitions that the sender has collected since its last hint. */
    record PartitionEvents(List<PushedQueue> pushed, List<FreePartition> freed) implements Hint {
        public PartitionEvents {
            pushed = List.copyOf(pushed);
            freed = List.copyOf(freed);
        }
    }

    /** The partition may have messages to deliver; any partition of the queue if it is null. */
    record Arrival(String queue, @Nullable String partition) implements Hint {}

    /** Queues, pauses, cursors or the state of the system were changed; the receiver refreshes its catalog. */
    record CatalogChange() implements Hint {}

    /**
     * Messages were stored in partitions of a queue.
     *
     * @param queueId differs from the receiver's id if the queue was deleted and created again
     */
    record PushedQueue(String queue, UUID queueId, List<PartitionHead> partitions) {
        public PushedQueue {
            partitions = List.copyOf(partitions);
        }
    }

    /** Messages were stored in a partition; head is its next offset. */
    record PartitionHead(String partition, long head) {}

    /** A lease of a group in a partition ended. */
    record FreePartition(UUID partitionId, String group) {}
}
