package io.queenmq.bench;

import java.util.Objects;

/** Why a scenario, or the whole command, cannot go on, in words for the user. */
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
