package io.queenmq.server.auth;

/** Thrown if rights cannot be parsed. A token or key with such rights is rejected. */
public final class MalformedRights extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedRights(String message) {
        super(message, null, false, false);
    }
}
