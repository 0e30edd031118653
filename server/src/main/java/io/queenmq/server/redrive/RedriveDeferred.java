package io.queenmq.server.redrive;

/** A redrive has to wait, through no fault of its own; the message says for what. */
final class NotNow extends RuntimeException {
    NotNow(String message) {
        super(message, null, false, false);
    }
}
