package io.queenmq.bench;

import java.util.Objects;

/** Aborts a scenario or the command. The message is shown to the user. */
final class BrokenOff extends RuntimeException {
    BrokenOff(String message) {
        super(message);
    }

    BrokenOff(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
