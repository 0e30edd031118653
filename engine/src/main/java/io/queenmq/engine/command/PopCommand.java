package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A validated pop request.
 *
 * @param batch the maximum number of messages, over all partitions
 * @param partitionsMax the maximum number of partitions to lease
 * @param waitMax the time to wait for a message; zero replies at once
 * @param leaseSeconds the duration of the lease; 0 for the leaseTime of the queue
 * @param isGone returns true if the client has disconnected, so that no lease must be acquired for it
 */
public record PopCommand(Source source, String group, int batch, int partitionsMax, boolean autoAck, Duration waitMax,
        int leaseSeconds, Subscription subscription, BooleanSupplier isGone,
        Reply<PopOutcome> reply) implements Command {

    /** The consumer group of requests that name none. Their consumers compete for the messages of the queue. */
    public static final String QUEUE_MODE = "__QUEUE_MODE__";

    /** The partitions from which messages are requested. */
    public sealed interface Source {
        /** One partition. */
        record Partition(String queue, String partition) implements Source {}

        /** Any partition of a queue. */
        record Queue(String queue) implements Source {}

        /** Any partition of the queues of a namespace and task, higher priority first; empty means any. */
        record Filter(String namespace, String task) implements Source {}
    }
}
