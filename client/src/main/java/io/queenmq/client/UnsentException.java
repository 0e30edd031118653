package io.queenmq.client;

import io.queenmq.client.error.QueenException;
import java.util.List;

/** A buffer could not store everything it had taken. What and why is in here, so that nothing is lost unnoticed. */
public final class UnsentException extends QueenException {
    private final transient List<Unsent> unsent;
    private final long count;

    UnsentException(List<Unsent> unsent, long count) {
        super(count + " buffered messages were not stored for certain, the first because of: "
                + unsent.getFirst().reason().getMessage(), unsent.getFirst().reason());
        this.unsent = List.copyOf(unsent);
        this.count = count;
    }

    /** In the order they were pushed; the first ten thousand when there are more. */
    public List<Unsent> unsent() {
        return unsent;
    }

    public long count() {
        return count;
    }

    /**
     * One of them.
     *
     * @param message with the transactionId it was sent under: pushed again with it, it cannot be stored twice
     * @param reason an {@link io.queenmq.client.error.OutcomeUnknownException} if it may have been stored all the same
     */
    public record Unsent(Message<?> message, QueenException reason) {}
}
