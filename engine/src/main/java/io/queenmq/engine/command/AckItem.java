package io.queenmq.engine.command;

import java.util.UUID;

/**
 * What a consumer says of one message.
 *
 * @param leaseId the lease it was handed out under; null when the consumer did not say
 * @param error why it went wrong; null when it did not, or when the consumer did not say
 */
public record AckItem(String transactionId, UUID partitionId, String group, UUID leaseId, Status status, String error) {
    /** The same message, with another word on it. */
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
