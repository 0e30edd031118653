package io.queenmq.client;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a batch handler to name the message that failed. Earlier messages are acknowledged. The named message fails
 * alone, with the cause as its error. Later messages are redelivered without counting a failure, because the handler may
 * not have processed them.
 */
public final class BatchException extends RuntimeException {
    private final int index;

    private BatchException(int index, @Nullable Throwable cause) {
        super("message " + index + " of the batch failed" + (cause == null ? "" : ": " + cause), cause);
        this.index = index;
    }

    /** @param index the position of the failed message in the batch, from 0 */
    public static BatchException at(int index, Throwable cause) {
        return new BatchException(index, cause);
    }

    /** @param index the position of the failed message in the batch, from 0 */
    public static BatchException at(int index) {
        return new BatchException(index, null);
    }

    public int index() {
        return index;
    }
}
