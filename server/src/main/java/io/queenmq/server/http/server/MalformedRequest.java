package io.queenmq.server.http.server;

import java.util.Objects;

/** A request that violates HTTP. Its connection is closed after the response. */
final class MalformedRequest extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final int status;

    MalformedRequest(int status, String message) {
        super(message);
        this.status = status;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }

    int status() {
        return status;
    }
}
