package io.queenmq.engine.numbers;

import java.util.Locale;

/** The reason for which a pushed message was refused. The routine metrics_of_queues uses the same labels. */
public enum PushRefusal {
    /** The queue holds as many messages as its maxSize allows. */
    FULL,
    /** The message must be encrypted and cannot be, usually because this server has no key. */
    ENCRYPTION,
    /** The partition is locked by another transaction, or cannot be created. */
    LOCKED,
    /** PostgreSQL rejects the message itself. */
    REFUSED,
    /** PostgreSQL was unavailable or did not respond, and the message could not be spooled. */
    UNAVAILABLE,
    /** Pushes are switched off, and the message could not be spooled. */
    MAINTENANCE;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
