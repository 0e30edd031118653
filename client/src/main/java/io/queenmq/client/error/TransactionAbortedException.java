package io.queenmq.client.error;

/** None of a transaction took effect, mostly because a lease it depends on is no longer held. */
public final class TransactionAbortedException extends QueenException {
    public TransactionAbortedException(String message) {
        super(message, null);
    }
}
