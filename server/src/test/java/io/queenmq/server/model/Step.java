package io.queenmq.server.model;

import java.util.List;

/** One thing that happens. Numbers that choose among what there is are taken modulo its size, so that any will do. */
sealed interface Step {
    /** @param repeated how many of the messages pushed last to this partition are pushed once more along with the new ones */
    record Push(int server, int partition, int fresh, int repeated) implements Step {}

    /** @param partition the partition named, or one past the last for a pop of any {@code partitionsMax} partitions of the queue */
    record Pop(int server, int group, int partition, int batch, int partitionsMax, boolean autoAck) implements Step {}

    /**
     * @param batch which of the batches delivered so far, counted from the latest
     * @param words what is said of its messages in turn; null: nothing is said of that one
     */
    record Ack(int server, int batch, List<Status> words, boolean isReversed, boolean namesLease) implements Step {}

    record Transact(int server, int batch, List<Status> words, int partition, int fresh) implements Step {}

    record Renew(int server, int batch) implements Step {}

    /** The lease runs out. */
    record Expire(int group, int partition) implements Step {}
}
