package io.queenmq.client.error;

/** A transaction had no effect, usually because a required lease is no longer valid. */
public final class TransactionAbortedException extends QueenException {
    public TransactionAbortedException(String message) {
        super(message, null);
    }
}
