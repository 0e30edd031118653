package io.queenmq.bench;

import java.util.Objects;

/** Aborts a scenario or the command. The message is shown to the user. */
final class BenchAbortedException extends RuntimeException {
    BenchAbortedException(String message) {
        super(message);
    }

    BenchAbortedException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
