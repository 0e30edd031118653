package io.queenmq.schema;

/** This release cannot use the database; the message contains the reason and the remedy. */
public final class SchemaException extends RuntimeException {
    SchemaException(String message) {
        super(message);
    }

    SchemaException(String message, Throwable cause) {
        super(message, cause);
    }
}
