package io.queenmq.engine.numbers;

import java.util.Locale;

/** Why a message that was pushed was not taken. The routine metrics_of_queues knows the labels, too. */
public enum PushRefusal {
    /** The queue holds as many messages as its maxSize allows. */
    FULL,
    /** It has to be encrypted and cannot be, which is so when this server has no key. */
    ENCRYPTION,
    /** Its partition is locked by somebody's transaction, or cannot be created. */
    LOCKED,
    /** PostgreSQL refuses the message itself. */
    REFUSED,
    /** PostgreSQL could not be asked, or did not answer, and there was no spool for it. */
    UNAVAILABLE,
    /** Pushes are switched off, and there was no spool for it. */
    MAINTENANCE;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
