package io.queenmq.server;

import org.jspecify.annotations.Nullable;

/** The server could not start. The message is a complete text for the operator. */
public final class StartException extends RuntimeException {
    StartException(String message) {
        super(message);
    }

    StartException(@Nullable String message, Throwable cause) {
        super(message, cause);
    }
}
