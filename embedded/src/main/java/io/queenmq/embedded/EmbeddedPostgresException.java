package io.queenmq.embedded;

/** The embedded PostgreSQL could not be started; the message contains the remedy. */
public final class EmbeddedPostgresException extends RuntimeException {
    EmbeddedPostgresException(String message) {
        super(message);
    }

    EmbeddedPostgresException(String message, Throwable cause) {
        super(message, cause);
    }
}
