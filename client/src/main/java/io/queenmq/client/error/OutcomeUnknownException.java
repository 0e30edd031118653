package io.queenmq.client.error;

import org.jspecify.annotations.Nullable;

/**
 * A request may or may not have taken effect: it may have reached a server, and no response arrived in time. A push
 * with the same transactionId can be repeated without storing the message twice.
 */
public final class OutcomeUnknownException extends QueenException {
    public OutcomeUnknownException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
