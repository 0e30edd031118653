package io.queenmq.client.error;

import org.jspecify.annotations.Nullable;

/** The family of everything that goes wrong between an application and Queen. */
public abstract class QueenException extends RuntimeException {
    protected QueenException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
