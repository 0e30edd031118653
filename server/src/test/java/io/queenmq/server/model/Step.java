package io.queenmq.server.model;

import java.util.List;

/** One random operation. Numbers that select an existing object are taken modulo the number of objects, so any number is valid. */
sealed interface Step {
    /** @param repeated the number of latest messages of the partition that are pushed again with the new ones */
    record Push(int server, int partition, int fresh, int repeated) implements Step {}

    /** @param partition the named partition; the number after the last one stands for any {@code partitionsMax} partitions of the queue */
    record Pop(int server, int group, int partition, int batch, int partitionsMax, boolean autoAck) implements Step {}

    /**
     * @param batch the index of a delivered batch, counted from the latest
     * @param words the statuses of its messages in turn; null if a message is not acknowledged
     */
    record Ack(int server, int batch, List<Status> words, boolean isReversed, boolean namesLease) implements Step {}

    record Transact(int server, int batch, List<Status> words, int partition, int fresh) implements Step {}

    record Renew(int server, int batch) implements Step {}

    /** The lease expires. */
    record Expire(int group, int partition) implements Step {}
}
