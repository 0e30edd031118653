package io.queenmq.engine.pop;

/**
 * Where a pop stands.
 *
 * <pre>
 * PENDING ─► RESOLVING ─► LEASING ─► FETCHING ─► COMPLETED
 *    │            ▲           │
 *    └── named ───┼──────────►│         a round that got nothing resolves again
 *                 └───────────┘
 * EMPTY: nothing to hand out; a pop that may wait becomes PENDING again when the bell rings
 * FAILED: the answer is a failure
 * </pre>
 */
public enum PopState {
    PENDING,
    RESOLVING,
    LEASING,
    FETCHING,
    COMPLETED,
    EMPTY,
    FAILED;

    /** Whether a pop that stands here may stand there next. */
    public boolean canBecome(PopState next) {
        return switch (this) {
            case PENDING -> next == RESOLVING || next == LEASING || next == EMPTY || next == FAILED;
            case RESOLVING -> next == LEASING || next == FETCHING || next == EMPTY || next == FAILED;
            case LEASING -> next == RESOLVING || next == FETCHING || next == EMPTY || next == FAILED;
            case FETCHING -> next == COMPLETED || next == EMPTY || next == FAILED;
            case EMPTY -> next == PENDING;
            case COMPLETED, FAILED -> false;
        };
    }
}
