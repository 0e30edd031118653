package io.queenmq.verify.cluster;

/** The run cannot be executed, for a reason that is not a violation of a guarantee. */
public final class SetupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SetupException(String message) {
        super(message);
    }

    public SetupException(String message, Throwable cause) {
        super(message, cause);
    }
}
