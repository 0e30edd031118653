package io.queenmq.schema;

/** The database cannot be used by this release; the message tells its reader why and what to do about it. */
public final class SchemaException extends RuntimeException {
    SchemaException(String message) {
        super(message);
    }

    SchemaException(String message, Throwable cause) {
        super(message, cause);
    }
}
