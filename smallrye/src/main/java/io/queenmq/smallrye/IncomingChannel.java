package io.queenmq.smallrye;

import io.queenmq.client.Delivery;
import io.queenmq.client.GroupView;
import io.queenmq.client.Outcome;
import io.queenmq.client.Queen;
import io.queenmq.client.QueueView;
import io.queenmq.client.RunningConsumer;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.BackPressureStrategy;
import io.smallrye.mutiny.subscription.MultiEmitter;
import io.smallrye.reactive.messaging.providers.locals.ContextAwareMessage;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a queue for a channel. A message is outstanding from its delivery until the application acknowledges or
 * rejects it. At most one message of a partition is outstanding, and at most {@code concurrency} in all: this is the
 * backpressure of the channel.
 */
final class IncomingChannel implements AutoCloseable {
    private final String name;
    private final GroupView<?> source;
    private final int concurrency;
    private final FailureStrategy failures;
    private final Executor context;
    private volatile @Nullable RunningConsumer consumer;

    IncomingChannel(Queen queen, Config config, Executor context) {
        this.name = config.getValue("channel-name", String.class);
        QueueView<?> queue = queen.queue(config.getOptionalValue("queue", String.class).orElse(name), type(config));
        Optional<String> group = config.getOptionalValue("group", String.class);
        this.source = group.isPresent() ? queue.group(group.get()) : queue.withoutGroup();
        this.concurrency = config.getOptionalValue("concurrency", Integer.class).orElse(1);
        this.failures = FailureStrategy.parse(name,
                config.getOptionalValue("failure-strategy", String.class).orElse("retry"));
        this.context = context;
    }

    private Class<?> type(Config config) {
        String type = config.getOptionalValue("payload-type", String.class).orElse(String.class.getName());
        try {
            ClassLoader classes = Thread.currentThread().getContextClassLoader();
            return Class.forName(type, true, classes == null ? getClass().getClassLoader() : classes);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("the payload-type of the channel '" + name + "' is '" + type
                    + "', which is not a class; use the full name of the class of the payloads", e);
        }
    }

    /** Returns the messages. The consumer starts with the subscription. */
    Multi<Message<?>> messages() {
        // The buffer contains outstanding messages only, so it is bounded by the concurrency.
        return Multi.createFrom().<Message<?>>emitter(this::start, BackPressureStrategy.BUFFER).emitOn(context)
                .map(ContextAwareMessage::withContextMetadata);
    }

    private void start(MultiEmitter<? super Message<?>> emitter) {
        consumer = start(source, emitter);
        emitter.onTermination(this::close);
    }

    private <T> RunningConsumer start(GroupView<T> group, MultiEmitter<? super Message<?>> emitter) {
        return group.consumer().concurrency(concurrency).startWithOutcomes(delivery -> {
            CompletableFuture<Outcome> outcome = new CompletableFuture<>();
            emitter.emit(message(delivery, outcome));
            try {
                return outcome.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        });
    }

    private <T> Message<T> message(Delivery<T> delivery, CompletableFuture<Outcome> outcome) {
        Metadata metadata = Metadata.of(IncomingQueenMetadata.of(delivery));
        return Message.of(delivery.value(), metadata, (Metadata metadataOfAck) -> done(outcome, Outcome.ack()),
                (Throwable failure, Metadata metadataOfNack) -> done(outcome, failures.outcome(failure)));
    }

    /** The lease renewal of the client protects the message until this. */
    private static CompletionStage<Void> done(CompletableFuture<Outcome> outcome, Outcome result) {
        outcome.complete(result);
        return CompletableFuture.completedFuture(null);
    }

    /** Ends the consumer. Outstanding messages that are not finished in time are redelivered to another consumer. */
    @Override
    public void close() {
        RunningConsumer running = consumer;
        if (running != null) {
            running.close();
        }
    }
}
