package io.queenmq.server.http.json;

import java.util.Objects;

/** Thrown for an invalid request. The whole request is answered 400 with this message and has no effect. */
public final class BadRequest extends RuntimeException {
    public BadRequest(String message) {
        // Without a stack trace: clients can send any number of invalid requests.
        super(message, null, false, false);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }

    /**
     * Returns the same error with the path of the enclosing value: {@code queue must be …} becomes
     * {@code items[3].queue must be …}.
     */
    public BadRequest within(String path) {
        return new BadRequest(path + "." + getMessage());
    }
}
