package io.queenmq.engine.pop;

/** The status that the routine lease returns for a partition. */
enum LeaseStatus {
    LEASED,
    BUSY,
    WAITING,
    EMPTY,
    SPARED,
    EXPIRED,
    /** No row was returned: the cursor does not exist yet, or another transaction locks it. */
    ABSENT;

    static LeaseStatus of(String word) {
        return switch (word) {
            case "leased" -> LEASED;
            case "busy" -> BUSY;
            case "waiting" -> WAITING;
            case "empty" -> EMPTY;
            case "spared" -> SPARED;
            case "expired" -> EXPIRED;
            default -> throw new IllegalArgumentException("unknown lease status " + word);
        };
    }
}
