package io.queenmq.client;

import static io.queenmq.client.QueenBuilder.requirePositive;
import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Configures and starts a consumer. Not thread-safe. */
public final class ConsumerBuilder<T> {
    private final GroupView<T> group;
    private int concurrency = 1;
    private PopOptions pop = PopOptions.DEFAULT.batch(50).waitFor(Duration.ofSeconds(30));
    private int maxPartitions;
    private Duration lease = Duration.ofSeconds(60);
    private boolean isInterrupting;
    private long limit = Long.MAX_VALUE;
    private @Nullable Duration idle;
    private Duration drain = Duration.ofSeconds(20);
    private ErrorHandler errorHandler = ErrorHandler.standard();
    private ErrorHandler undecodable = ErrorHandler.deadLettering();
    private ConsumerListener listener = new ConsumerListener() {};

    ConsumerBuilder(GroupView<T> group) {
        this.group = group;
    }

    /** Sets the number of concurrent handlers, each for its own partitions (default: 1). */
    public ConsumerBuilder<T> concurrency(int concurrency) {
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1, not " + concurrency);
        }
        this.concurrency = concurrency;
        return this;
    }

    /** Sets the maximum number of messages per pop (default: 50). */
    public ConsumerBuilder<T> batch(int batch) {
        pop = pop.batch(batch);
        return this;
    }

    /**
     * Sets the maximum number of partitions per pop. By default each worker adapts it: more if many partitions contain
     * few messages that are handled quickly, fewer if a partition fills a batch or handlers are slow.
     */
    public ConsumerBuilder<T> maxPartitions(int maxPartitions) {
        pop = pop.maxPartitions(maxPartitions);
        this.maxPartitions = maxPartitions;
        return this;
    }

    /** Sets the start position of a group that has never read this queue. */
    public ConsumerBuilder<T> from(StartPosition from) {
        pop = pop.from(from);
        return this;
    }

    /** Sets how long a request waits for messages (default: 30 seconds). */
    public ConsumerBuilder<T> pollFor(Duration pollFor) {
        pop = pop.waitFor(requirePositive(pollFor, "pollFor"));
        return this;
    }

    /**
     * Sets the time by which each renewal extends a lease while handlers run (default: 60 seconds). The first renewal
     * is at most a second after delivery, further ones after a third of this time.
     */
    public ConsumerBuilder<T> lease(Duration lease) {
        if (lease.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("lease must be at least a second, not " + lease);
        }
        this.lease = lease;
        return this;
    }

    /** Interrupts a handler whose lease is lost. By default the handler must check {@link Delivery#isLeaseLost}. */
    public ConsumerBuilder<T> interruptOnLeaseLost() {
        isInterrupting = true;
        return this;
    }

    /** Stops the consumer after this number of messages was passed to the handler. */
    public ConsumerBuilder<T> limit(long limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1, not " + limit);
        }
        this.limit = limit;
        return this;
    }

    /** Stops the consumer after this time without messages. */
    public ConsumerBuilder<T> stopWhenIdle(Duration idle) {
        this.idle = requirePositive(idle, "idle");
        return this;
    }

    /**
     * Sets how long {@link RunningConsumer#close} waits for running handlers before it interrupts them (default: 20
     * seconds, which leaves a margin within the 30 seconds that Kubernetes allows).
     */
    public ConsumerBuilder<T> drainWithin(Duration drain) {
        this.drain = requirePositive(drain, "drain");
        return this;
    }

    /**
     * Sets the decision about messages whose handler throws (default: {@link ErrorHandler#standard}). Not called for
     * messages whose payload cannot be decoded, see {@link #undecodable}.
     */
    public ConsumerBuilder<T> errorHandler(ErrorHandler errorHandler) {
        this.errorHandler = requireNonNull(errorHandler);
        return this;
    }

    /**
     * Sets the decision about messages whose payload cannot be decoded. By default they are dead-lettered at once,
     * because a retry cannot succeed, and their partition continues. {@link ErrorHandler#standard} redelivers them as
     * often as the queue allows.
     */
    public ConsumerBuilder<T> undecodable(ErrorHandler undecodable) {
        this.undecodable = requireNonNull(undecodable);
        return this;
    }

    /** Sets the listener that is notified of failures and dead letters (default: logs them). */
    public ConsumerBuilder<T> listener(ConsumerListener listener) {
        this.listener = requireNonNull(listener);
        return this;
    }

    /**
     * Starts a consumer that handles one message at a time. A failure stops the rest of the partition until the message
     * is redelivered.
     */
    public RunningConsumer start(Handler<T> handler) {
        return startWithOutcomes(delivery -> {
            handler.handle(delivery);
            return Outcome.ack();
        });
    }

    /** Starts a consumer whose handler returns the outcome of the message. */
    public RunningConsumer startWithOutcomes(OutcomeHandler<T> handler) {
        return start(new HandlerInvoker.EachMessage<>(handler), false);
    }

    /** Starts a consumer that handles the messages of one partition that were popped together. */
    public RunningConsumer startBatches(BatchHandler<T> handler) {
        return startBatchesWithOutcomes(partition -> {
            handler.handle(partition);
            return Outcome.ack(partition.size());
        });
    }

    /** Starts a consumer whose batch handler returns one outcome per message. */
    public RunningConsumer startBatchesWithOutcomes(BatchOutcomeHandler<T> handler) {
        return start(new HandlerInvoker.WholePartition<>(handler), false);
    }

    /**
     * Starts a consumer whose messages are finished at delivery. Each message is handled at most once; messages in
     * flight are lost if the application or the connection fails.
     */
    public RunningConsumer startAtMostOnce(Handler<T> handler) {
        return start(new HandlerInvoker.AtMostOnce<>(handler), true);
    }

    private RunningConsumer start(HandlerInvoker<T> work, boolean isAtMostOnce) {
        return RunningConsumer.start(group, settings(), work, isAtMostOnce);
    }

    ConsumerSettings settings() {
        return new ConsumerSettings(concurrency, pop, maxPartitions, lease, isInterrupting, limit, idle, drain,
                errorHandler, undecodable, listener);
    }
}
