package io.queenmq.client.error;

import org.jspecify.annotations.Nullable;

/** The superclass of all failures of requests to Queen. */
public abstract class QueenException extends RuntimeException {
    protected QueenException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
