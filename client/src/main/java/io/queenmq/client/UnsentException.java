package io.queenmq.client;

import io.queenmq.client.error.QueenException;
import java.util.List;

/** A buffer could not store all accepted messages. Contains each of them with the reason. */
public final class UnsentException extends QueenException {
    private final transient List<Unsent> unsent;
    private final long count;

    UnsentException(List<Unsent> unsent, long count) {
        super(count + " buffered messages may not be stored, the first because of: "
                + unsent.getFirst().reason().getMessage(), unsent.getFirst().reason());
        this.unsent = List.copyOf(unsent);
        this.count = count;
    }

    /** Returns the messages in the order of their pushes; only the first ten thousand. */
    public List<Unsent> unsent() {
        return unsent;
    }

    public long count() {
        return count;
    }

    /**
     * A message that was not stored, or possibly not stored.
     *
     * @param message with the transactionId of the failed request, so that a second push cannot store it twice
     * @param reason an {@link io.queenmq.client.error.OutcomeUnknownException} if the message may have been stored
     */
    public record Unsent(Message<?> message, QueenException reason) {}
}
