package io.queenmq.engine.command;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The acknowledgment of one message by a consumer.
 *
 * @param leaseId the lease under which it was delivered; null if the consumer did not send it
 * @param error the error of a failed message; null if there is none or the consumer did not send it
 */
public record AckItem(String transactionId, UUID partitionId, String group, @Nullable UUID leaseId, Status status,
        @Nullable String error) {
    /** Returns the same acknowledgment with another status. */
    public AckItem withStatus(Status other) {
        return new AckItem(transactionId, partitionId, group, leaseId, other, error);
    }

    public enum Status {
        COMPLETED,
        FAILED,
        RETRY,
        DLQ
    }
}
