package io.queenmq.server.operator;

import org.jspecify.annotations.Nullable;

/** The result of one call that counts touched partitions. Decides whether the call is repeated. */
enum Counting {
    /** All touched partitions are counted. */
    DONE,
    /** More partitions were touched than one call counts. */
    MORE,
    /** Another session counts. */
    BUSY,
    /** The call failed. */
    FAILED;

    /** The action after a call. */
    enum Next {
        REPEAT,
        REPEAT_AFTER_PAUSE,
        END
    }

    /** @param answer of the routine count_touched; null when the call failed */
    static Counting of(@Nullable String answer) {
        return switch (answer) {
            case null -> FAILED;
            case "done" -> DONE;
            case "more" -> MORE;
            case "busy" -> BUSY;
            default -> FAILED;
        };
    }

    /**
     * Decides for a request that waits for fresh counts.
     *
     * @param isLate true if the request does not wait any longer, or the server is closing
     */
    Next whileRequestWaits(boolean isLate) {
        if (isLate) {
            return Next.END;
        }
        return switch (this) {
            case MORE -> Next.REPEAT;
            case BUSY -> Next.REPEAT_AFTER_PAUSE;
            case DONE, FAILED -> Next.END;
        };
    }

    /** Returns true if the periodic search, for which no request waits, repeats the call after a pause. */
    boolean isRepeatedInBackground(boolean isClosed) {
        return this == MORE && !isClosed;
    }

    boolean isWell() {
        return this != FAILED;
    }
}
