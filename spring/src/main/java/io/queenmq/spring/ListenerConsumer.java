package io.queenmq.spring;

import io.queenmq.client.ConsumerBuilder;
import io.queenmq.client.GroupView;
import io.queenmq.client.Outcome;
import io.queenmq.client.Queen;
import io.queenmq.client.QueueView;
import io.queenmq.client.RunningConsumer;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One listener: its method, what its annotation says, and its consumer while it runs. Safe from any thread. */
final class ListenerConsumer {
    private static final Logger log = LoggerFactory.getLogger(ListenerConsumer.class);

    private final Queen queen;
    private final ListenerMethod method;
    private final ListenerSettings settings;
    private final Duration drainWithin;
    private final Meters meters;
    private @Nullable RunningConsumer consumer;
    private volatile boolean hasFailed;

    ListenerConsumer(Queen queen, ListenerMethod method, ListenerSettings settings, Duration drainWithin,
            Meters meters) {
        this.queen = queen;
        this.method = method;
        this.settings = settings;
        this.drainWithin = drainWithin;
        this.meters = meters;
    }

    boolean isAutoStartup() {
        return settings.isAutoStartup();
    }

    synchronized boolean isRunning() {
        return consumer != null && !consumer.ended().isDone();
    }

    /** Whether servers refused it, so that it gets no messages any more. */
    boolean hasFailed() {
        return hasFailed;
    }

    synchronized void start() {
        if (isRunning()) {
            return;
        }
        String queueName = settings.queue();
        String groupName = settings.group();
        QueueView<Object> queue = queen.queue(queueName, method.payloadType());
        GroupView<Object> group = groupName.isEmpty() ? queue.withoutGroup() : queue.group(groupName);
        ConsumerBuilder<Object> builder = group.consumer().drainWithin(drainWithin);
        settings.apply(builder);
        hasFailed = false;
        RunningConsumer started = method.isBatch()
                ? builder.startBatches(partition -> measured(queueName, groupName, partition.size(), () -> {
                    method.handleAll(partition);
                    return Outcome.ack();
                }))
                : builder.startDeciding(
                        delivery -> measured(queueName, groupName, 1, () -> method.handle(delivery)));
        consumer = started;
        started.ended().whenComplete((ended, failure) -> {
            if (failure != null) {
                hasFailed = true;
                log.error("{} gets no more messages of {}", method, queueName, failure);
            }
        });
    }

    /** Waits for the handlers at work. */
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

    private Outcome measured(String queue, String group, int messages, Callable<Outcome> handler) throws Exception {
        long beganNs = System.nanoTime();
        boolean isDone = false;
        try {
            Outcome outcome = handler.call();
            isDone = true;
            return outcome;
        } finally {
            meters.handled(queue, group, messages, System.nanoTime() - beganNs, !isDone);
        }
    }

    @Override
    public String toString() {
        return method.toString();
    }
}
