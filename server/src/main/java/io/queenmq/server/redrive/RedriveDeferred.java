package io.queenmq.server.redrive;

/** Rolls back a step of a redrive that is left to other servers for now. The message is the reason. */
final class RedriveDeferred extends RuntimeException {
    RedriveDeferred(String message) {
        super(message, null, false, false);
    }
}
