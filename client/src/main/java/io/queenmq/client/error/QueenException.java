package io.queenmq.client.error;

/** The family of everything that goes wrong between an application and Queen. */
public abstract class QueenException extends RuntimeException {
    protected QueenException(String message, Throwable cause) {
        super(message, cause);
    }
}
