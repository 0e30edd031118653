package io.queenmq.smallrye;

import io.queenmq.client.BufferedPush;
import io.queenmq.client.PushResult.Stored;
import io.queenmq.client.Queen;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.Flow.Subscription;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages of a channel for a queue. They are pushed in the order of the channel, many in one request, and
 * acknowledged when they are stored. A message that cannot be stored is rejected.
 */
final class OutgoingChannel implements Subscriber<Message<?>>, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OutgoingChannel.class);
    /** Messages that are requested and not yet stored. */
    private static final int OUTSTANDING_MAX = 256;

    private final String name;
    private final @Nullable String partition;
    private final BufferedPush<Object> push;
    private @Nullable Subscription subscription;

    OutgoingChannel(Queen queen, Config config) {
        this.name = config.getValue("channel-name", String.class);
        this.partition = config.getOptionalValue("partition", String.class).orElse(null);
        this.push = queen.queue(config.getOptionalValue("queue", String.class).orElse(name), Object.class).buffered()
                .start();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        this.subscription = subscription;
        subscription.request(OUTSTANDING_MAX);
    }

    @Override
    public void onNext(Message<?> message) {
        CompletableFuture<Stored> stored;
        try {
            stored = push.push(pushed(message));
        } catch (RuntimeException e) {
            // The payload cannot be encoded, or the metadata is invalid.
            stored = CompletableFuture.failedFuture(e);
        }
        stored.whenComplete((result, failure) -> {
            if (failure == null) {
                message.ack();
            } else {
                log.warn("message of the channel {} cannot be stored: {}", name, failure.toString());
                message.nack(failure);
            }
            Objects.requireNonNull(subscription).request(1);
        });
    }

    private io.queenmq.client.Message<Object> pushed(Message<?> message) {
        var pushed = io.queenmq.client.Message.<Object>of(message.getPayload()).partition(partition);
        OutgoingQueenMetadata metadata = message.getMetadata(OutgoingQueenMetadata.class).orElse(null);
        if (metadata == null) {
            return pushed;
        }
        if (metadata.partition() != null) {
            pushed = pushed.partition(metadata.partition());
        }
        if (metadata.transactionId() != null) {
            pushed = pushed.transactionId(metadata.transactionId());
        }
        return pushed.headers(metadata.headers());
    }

    @Override
    public void onError(Throwable failure) {
        log.error("channel {} failed: {}", name, failure.toString());
    }

    @Override
    public void onComplete() {}

    /** Sends what is buffered. */
    @Override
    public void close() {
        if (subscription != null) {
            subscription.cancel();
        }
        push.close();
    }
}
