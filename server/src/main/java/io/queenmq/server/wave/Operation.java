package io.queenmq.server.wave;

/** The kinds of database calls the engine makes; each has its own waves and its own meters. */
public enum Operation {
    PUSH,
    PUSH_BOUNDED,
    CATCH_UP,
    LEASE,
    AUTO_ACK,
    FETCH,
    OPEN_CURSORS,
    EXPIRE,
    RELEASE,
    RESOLVE(false),
    HAS_PENDING,
    SUBSCRIBE(
            false),
    ACK,
    NACK,
    HELD,
    RENEW,
    TRANSACT(
            false),
    CONFIGURE(false),
    CREATE_QUEUE,
    DELETE_QUEUE(false),
    CATALOG(false),
    REPORT_NUMBERS(false);

    private final boolean isMerged;

    Operation() {
        this(true);
    }

    Operation(boolean isMerged) {
        this.isMerged = isMerged;
    }

    /** Whether many requests go in one call; the others are atomic units of their own. */
    boolean isMerged() {
        return isMerged;
    }

    /** The name in metrics. */
    public String label() {
        return name().toLowerCase();
    }
}
