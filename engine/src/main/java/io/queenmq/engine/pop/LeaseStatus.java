package io.queenmq.engine.pop;

/** What the routine lease says of a partition. */
enum LeaseStatus {
    LEASED,
    BUSY,
    WAITING,
    EMPTY,
    SPARED,
    EXPIRED,
    /** No answer: the cursor does not exist yet, or somebody is working on it at this moment. */
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
