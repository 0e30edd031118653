package io.queenmq.smallrye;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a message that is sent to Queen.
 *
 * @param partition the partition of the message; null for that of the channel
 * @param transactionId identifies the message, so that a repeated push is stored once; null for a random one
 */
public record OutgoingQueenMetadata(@Nullable String partition, @Nullable String transactionId,
        Map<String, String> headers) {
    public OutgoingQueenMetadata {
        headers = Map.copyOf(headers);
    }

    /** Returns metadata with a partition. */
    public static OutgoingQueenMetadata ofPartition(String partition) {
        return new OutgoingQueenMetadata(partition, null, Map.of());
    }

    /** Returns a copy with this id. */
    public OutgoingQueenMetadata withTransactionId(String transactionId) {
        return new OutgoingQueenMetadata(partition, transactionId, headers);
    }

    /** Returns a copy with these headers. */
    public OutgoingQueenMetadata withHeaders(Map<String, String> headers) {
        return new OutgoingQueenMetadata(partition, transactionId, headers);
    }
}
