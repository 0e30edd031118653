package io.queenmq.server.auth;

/** Thrown for rights that cannot be read. Whoever carries them is rejected. */
public final class MalformedRights extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedRights(String message) {
        super(message, null, false, false);
    }
}
