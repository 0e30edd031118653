package io.queenmq.client;

import io.queenmq.client.error.QueenException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears of what goes wrong in a consumer, beside what happens anyway; unless told otherwise it writes failures to the log.
 * Called by the consumer's threads, so it should be quick.
 */
public interface ConsumerListener {
    /** A handler threw. The message has been failed, or is lost if it was popped at most once. */
    default void onHandlerFailure(Delivery<?> delivery, Throwable failure) {
        log().warn("the handler failed for {} (attempt {})", delivery, delivery.attempt(), failure);
    }

    /** Somebody else may have this message now. Called once for each message that was not finished. */
    default void onLeaseLost(Delivery<?> delivery) {
        log().warn("the lease of {} was lost before it was finished; it is delivered again", delivery);
    }

    /**
     * A worker could not ask for messages, and goes on trying. Called each time, which may be often; the client itself writes to
     * the log when that begins, once a minute, and when it is over, so this does nothing.
     */
    default void onPopFailure(QueenException failure) {}

    private static Logger log() {
        return LoggerFactory.getLogger(ConsumerListener.class);
    }
}
