package io.queenmq.verify.cluster;

/** The run cannot be executed, for a reason that is not a violation of a guarantee. */
public final class CannotRun extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CannotRun(String message) {
        super(message);
    }

    public CannotRun(String message, Throwable cause) {
        super(message, cause);
    }
}
