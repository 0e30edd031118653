package io.queenmq.client;

import io.queenmq.client.error.QueenException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Is notified of the failures of a consumer. The default methods log them. Called on the consumer's threads, so
 * implementations must be quick.
 */
public interface ConsumerListener {
    /** A handler threw. Its message has failed, or is lost if it was popped at most once. */
    default void handlerFailed(Delivery<?> delivery, Throwable failure) {
        log().warn("handler failed for {} (attempt {})", delivery, delivery.attempt(), failure);
    }

    /**
     * A message of this consumer is stored as a dead letter: after its last attempt, or because of its outcome. Not
     * called for a message whose lease expired during its last attempt, for example because the application crashed; the
     * server dead-letters such a message.
     *
     * @param reason the error that is stored with the dead letter
     */
    default void deadLettered(Delivery<?> delivery, String reason) {
        log().warn("message dead-lettered after attempt {}: {}: {}", delivery.attempt(), delivery, reason);
    }

    /**
     * The lease of a message was lost before the message was finished, so another consumer may have it. Called once for
     * each unfinished message.
     */
    default void leaseLost(Delivery<?> delivery) {
        log().warn("lease lost before the message was finished, it is redelivered: {}", delivery);
    }

    /**
     * A pop failed and will be retried. Called at each failure, which may be often. The client logs the beginning, each
     * minute and the end of a failure itself, so the default method does nothing.
     */
    default void popFailed(QueenException failure) {}

    /** Returns a listener that notifies this listener and then the next. */
    default ConsumerListener andThen(ConsumerListener next) {
        return new ConsumerListeners(this, next);
    }

    private static Logger log() {
        return LoggerFactory.getLogger(ConsumerListener.class);
    }
}
