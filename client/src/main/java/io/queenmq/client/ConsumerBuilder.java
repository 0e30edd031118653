package io.queenmq.client;

import static io.queenmq.client.QueenBuilder.requirePositive;
import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The settings of a consumer, and its start. For one thread. */
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
    private ConsumerListener listener = new ConsumerListener() {};

    ConsumerBuilder(GroupView<T> group) {
        this.group = group;
    }

    /** How many handlers may run at the same time, each for partitions of its own; 1 unless set. */
    public ConsumerBuilder<T> concurrency(int concurrency) {
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1, not " + concurrency);
        }
        this.concurrency = concurrency;
        return this;
    }

    /** How many messages are fetched at a time at most; 50 unless set. */
    public ConsumerBuilder<T> batch(int batch) {
        pop = pop.batch(batch);
        return this;
    }

    /**
     * From how many partitions they may come at a time. Unless set, each worker chooses by what it gets: more when many partitions hold
     * little and are quickly done, fewer when a partition fills a batch or handlers take their time.
     */
    public ConsumerBuilder<T> maxPartitions(int maxPartitions) {
        pop = pop.maxPartitions(maxPartitions);
        this.maxPartitions = maxPartitions;
        return this;
    }

    /** Where the group begins if it has never read this queue. */
    public ConsumerBuilder<T> from(StartPosition from) {
        pop = pop.from(from);
        return this;
    }

    /** How long one request waits for messages; 30 seconds unless set. */
    public ConsumerBuilder<T> pollFor(Duration pollFor) {
        pop = pop.waitFor(requirePositive(pollFor, "pollFor"));
        return this;
    }

    /**
     * For how long a lease is renewed each time, while handlers run: at the latest after a second for the first time, and
     * then whenever a third of this has passed; 60 seconds unless set.
     */
    public ConsumerBuilder<T> lease(Duration lease) {
        if (lease.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("lease must be at least a second, not " + lease);
        }
        this.lease = lease;
        return this;
    }

    /** Interrupts a handler whose lease is lost, instead of only telling by {@link Delivery#isLeaseLost}. */
    public ConsumerBuilder<T> interruptOnLeaseLost() {
        isInterrupting = true;
        return this;
    }

    /** Ends by itself after so many messages were handed to the handler. */
    public ConsumerBuilder<T> limit(long limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1, not " + limit);
        }
        this.limit = limit;
        return this;
    }

    /** Ends by itself when there was nothing to do for this long. */
    public ConsumerBuilder<T> stopWhenIdle(Duration idle) {
        this.idle = requirePositive(idle, "idle");
        return this;
    }

    /**
     * How long closing waits for handlers at work; then they are interrupted. 20 seconds unless set, so that everything is
     * over within the 30 seconds that Kubernetes gives.
     */
    public ConsumerBuilder<T> drainWithin(Duration drain) {
        this.drain = requirePositive(drain, "drain");
        return this;
    }

    /** What is to become of messages whose handler throws; {@link ErrorHandler#standard} unless set. */
    public ConsumerBuilder<T> errorHandler(ErrorHandler errorHandler) {
        this.errorHandler = requireNonNull(errorHandler);
        return this;
    }

    public ConsumerBuilder<T> listener(ConsumerListener listener) {
        this.listener = requireNonNull(listener);
        return this;
    }

    /** Handles message by message. A failure stops the rest of that partition until the message has been delivered again. */
    public RunningConsumer start(Handler<T> handler) {
        return startDeciding(delivery -> {
            handler.handle(delivery);
            return Outcome.ack();
        });
    }

    /** Like {@link #start}, with a handler that says what is to become of the message. */
    public RunningConsumer startDeciding(DecidingHandler<T> handler) {
        return start(new PartitionWork.EachMessage<>(handler), false);
    }

    /** Handles the messages of one partition that were fetched together. */
    public RunningConsumer startBatches(BatchHandler<T> handler) {
        return start(new PartitionWork.WholePartition<>(handler), false);
    }

    /**
     * Messages count as done when they are handed out: each is handled at most once, and what is under way when the
     * application or the connection dies is lost.
     */
    public RunningConsumer startAtMostOnce(Handler<T> handler) {
        return start(new PartitionWork.AtMostOnce<>(handler), true);
    }

    private RunningConsumer start(PartitionWork<T> work, boolean isAtMostOnce) {
        return RunningConsumer.start(group, settings(), work, isAtMostOnce);
    }

    ConsumerSettings settings() {
        return new ConsumerSettings(concurrency, pop, maxPartitions, lease, isInterrupting, limit, idle, drain,
                errorHandler, listener);
    }
}
