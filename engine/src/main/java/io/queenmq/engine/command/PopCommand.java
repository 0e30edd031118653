package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A validated pop request.
 *
 * @param batch the most messages to hand out, over all partitions together
 * @param partitionsMax the most partitions to claim
 * @param waitMax how long to wait for a message; zero answers at once
 * @param isGone whether the client has hung up, so that nothing should be leased for it any more
 */
public record PopCommand(Source source, String group, int batch, int partitionsMax, boolean autoAck, Duration waitMax,
        Subscription subscription, BooleanSupplier isGone, Reply<PopOutcome> reply) implements Command {

    /** The consumer group of those who name none: they compete for the messages of the queue. */
    public static final String QUEUE_MODE = "__QUEUE_MODE__";

    /** Where to look for messages. */
    public sealed interface Source {
        /** One partition. */
        record Partition(String queue, String partition) implements Source {}

        /** Any partition of a queue. */
        record Queue(String queue) implements Source {}

        /** Any partition of the queues of a namespace and task, higher priority first; empty means any. */
        record Filter(String namespace, String task) implements Source {}
    }
}
