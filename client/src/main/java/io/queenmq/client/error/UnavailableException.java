package io.queenmq.client.error;

import org.jspecify.annotations.Nullable;

/** No server executed the request, and nothing was changed. It can be retried later. */
public final class UnavailableException extends QueenException {
    public UnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
