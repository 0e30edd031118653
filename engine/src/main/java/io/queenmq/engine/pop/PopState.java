package io.queenmq.engine.pop;

/**
 * The states of a pop.
 *
 * <pre>
 *              ┌───────► WAITING ──┐
 *              │                   ▼
 * accept ─► RUNNABLE ◄──────────────── a reason to plan again: an arrival, the end of a call, the deadline
 *              ├───────► LEASING ──┘
 *              ├───────► FETCHING ─► DELIVERED, or RUNNABLE when no message could be read
 *              └───────► EMPTY, FAILED
 * </pre>
 *
 * A pop leaves RUNNABLE only by a decision of the {@link PopPlanner}.
 */
enum PopState {
    /** To be planned. */
    RUNNABLE,
    /** In {@link WaitingPops}. */
    WAITING,
    /** A lease call is in flight. */
    LEASING,
    /** The messages of its leases are read. */
    FETCHING,
    /** Answered with messages. */
    DELIVERED,
    /** Answered without messages. */
    EMPTY,
    /** Answered with a failure. */
    FAILED;

    /** Returns whether the request is still to be answered. */
    boolean isOpen() {
        return this != DELIVERED && this != EMPTY && this != FAILED;
    }

    /** Returns whether a pop in this state may enter the given one. */
    boolean canBecome(PopState next) {
        return switch (this) {
            case RUNNABLE -> next == WAITING || next == LEASING || next == FETCHING || next == EMPTY || next == FAILED;
            case WAITING, LEASING -> next == RUNNABLE;
            case FETCHING -> next == DELIVERED || next == RUNNABLE;
            case DELIVERED, EMPTY, FAILED -> false;
        };
    }
}
