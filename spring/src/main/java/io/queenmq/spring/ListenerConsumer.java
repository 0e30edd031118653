package io.queenmq.spring;

import io.queenmq.client.ConsumerBuilder;
import io.queenmq.client.ConsumerListener;
import io.queenmq.client.Delivery;
import io.queenmq.client.GroupView;
import io.queenmq.client.Queen;
import io.queenmq.client.QueueView;
import io.queenmq.client.RunningConsumer;
import io.queenmq.client.error.QueenException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener: its method, its settings, and its consumer while it is running. Thread-safe. */
final class ListenerConsumer {
    private static final Logger log = LoggerFactory.getLogger(ListenerConsumer.class);

    private final Queen queen;
    private final ListenerMethod method;
    private final @Nullable ListenerMethod deadLetterMethod;
    private final ListenerSettings settings;
    private final Duration drainWithin;
    private final Meters meters;
    private final ConsumerListener listener;
    private @Nullable RunningConsumer consumer;
    private volatile boolean hasFailed;

    /**
     * @param deadLetterMethod null for none
     * @param listener is notified of failures
     */
    ListenerConsumer(Queen queen, ListenerMethod method, @Nullable ListenerMethod deadLetterMethod,
            ListenerSettings settings, Duration drainWithin, Meters meters, ConsumerListener listener) {
        this.queen = queen;
        this.method = method;
        this.deadLetterMethod = deadLetterMethod;
        this.settings = settings;
        this.drainWithin = drainWithin;
        this.meters = meters;
        this.listener = listener;
    }

    boolean isAutoStartup() {
        return settings.isAutoStartup();
    }

    String queue() {
        return settings.queue();
    }

    /** Returns the group; empty for none. */
    String group() {
        return settings.group();
    }

    synchronized boolean isRunning() {
        return consumer != null && !consumer.ended().isDone();
    }

    /** Returns true if a server rejected the listener, so that it receives no messages. */
    boolean hasFailed() {
        return hasFailed;
    }

    synchronized void start() {
        if (isRunning()) {
            return;
        }
        String queueName = settings.queue();
        String groupName = settings.group();
        RunningConsumer started = start(builder(queueName, groupName), queueName, groupName);
        hasFailed = false;
        consumer = started;
        meters.started(queueName, groupName);
        log.info("listener started: {} (queue {}, {}, concurrency {})", method, queueName,
                groupName.isEmpty() ? "no group" : "group " + groupName, settings.concurrency());
        Thread.ofVirtual().name("queen-listener-check-" + queueName).start(() -> warnIfMissing(queueName));
        started.ended().whenComplete((ended, failure) -> {
            if (failure != null) {
                hasFailed = true;
                log.error("listener stopped: {} receives no more messages of {}", method, queueName, failure);
            }
        });
    }

    private ConsumerBuilder<Object> builder(String queueName, String groupName) {
        try {
            QueueView<Object> queue = queen.queue(queueName, method.payloadType());
            GroupView<Object> group = groupName.isEmpty() ? queue.withoutGroup() : queue.group(groupName);
            ConsumerBuilder<Object> builder = group.consumer().drainWithin(drainWithin)
                    .listener(listener.andThen(new DeadLetterNotifier(queueName, groupName)));
            settings.apply(builder);
            return builder;
        } catch (IllegalArgumentException e) {
            throw new QueenStartupException("@QueenListener " + method + ": " + e.getMessage(),
                    "Correct the attribute, or the property that it refers to.", e);
        }
    }

    private RunningConsumer start(ConsumerBuilder<Object> builder, String queueName, String groupName) {
        return method.isBatch()
                ? builder.startBatchesWithOutcomes(partition -> measured(queueName, groupName, partition.size(),
                        () -> method.handleAll(partition)))
                : builder.startWithOutcomes(
                        delivery -> measured(queueName, groupName, 1, () -> method.handle(delivery)));
    }

    /** A listener of a mistyped queue would wait forever without a message. */
    private void warnIfMissing(String queueName) {
        try {
            if (queen.operator().queues().find(queueName).isEmpty()) {
                log.warn("queue of listener {} does not exist: {}; its first push or a QueueDefinition bean creates it",
                        method, queueName);
            }
        } catch (QueenException | IllegalStateException e) {
            log.debug("check of the queue {} failed: {}", queueName, e.getMessage());
        }
    }

    /** Stops the consumer and waits for running handlers. */
    void stop() {
        @Nullable
        RunningConsumer running;
        synchronized (this) {
            running = consumer;
            consumer = null;
            hasFailed = false;
        }
        if (running != null) {
            running.close();
        }
    }

    private <R> R measured(String queue, String group, int messages, Callable<R> handler) throws Exception {
        long startNs = System.nanoTime();
        boolean isDone = false;
        try {
            R result = handler.call();
            isDone = true;
            return result;
        } finally {
            meters.handled(queue, group, messages, System.nanoTime() - startNs, !isDone);
        }
    }

    @Override
    public String toString() {
        return method.toString();
    }

    /** Counts dead letters and calls the method for them. */
    private final class DeadLetterNotifier implements ConsumerListener {
        private final String queue;
        private final String group;

        DeadLetterNotifier(String queue, String group) {
            this.queue = queue;
            this.group = group;
        }

        @Override
        public void deadLettered(Delivery<?> delivery, String reason) {
            meters.deadLettered(queue, group);
            if (deadLetterMethod != null) {
                try {
                    deadLetterMethod.handle(delivery, Map.of(QueenHeaders.DEAD_LETTER_REASON, reason));
                } catch (Exception e) {
                    log.error("dead-letter method failed: {} for {}", deadLetterMethod, delivery, e);
                }
            }
        }

        @Override
        public void handlerFailed(Delivery<?> delivery, Throwable failure) {}

        @Override
        public void leaseLost(Delivery<?> delivery) {}
    }
}
