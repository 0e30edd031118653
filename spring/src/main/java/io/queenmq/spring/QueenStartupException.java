package io.queenmq.spring;

import org.jspecify.annotations.Nullable;

/** A mistake in the configuration of the application, with the action that corrects it. */
final class QueenStartupException extends IllegalStateException {
    private final String action;

    QueenStartupException(String description, String action, @Nullable Throwable cause) {
        super(description, cause);
        this.action = action;
    }

    String action() {
        return action;
    }
}
