package io.queenmq.server;

/** The server could not start; the message says why to whoever started it. */
public final class StartException extends RuntimeException {
    StartException(String message) {
        super(message);
    }

    StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
