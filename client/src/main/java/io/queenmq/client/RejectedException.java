package io.queenmq.client;

import io.queenmq.client.error.QueenException;
import java.util.List;

/** At least one message of a push was not stored. The results state which. */
public final class RejectedException extends QueenException {
    private final transient List<PushResult> results;

    RejectedException(PushResult.Rejected first, List<PushResult> results) {
        super("message " + first.transactionId() + " was not stored: " + first.reason(), null);
        this.results = List.copyOf(results);
    }

    /** Returns the results in the order of the pushed messages. */
    public List<PushResult> results() {
        return results;
    }
}
