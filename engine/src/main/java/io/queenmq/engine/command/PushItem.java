package io.queenmq.engine.command;

import io.queenmq.engine.push.TransactionHash;

import java.util.UUID;

/**
 * One message on its way into a partition. The line is complete as it will be stored, with its final line break, so that
 * nothing behind the HTTP threads looks into a payload again.
 *
 * @param hash the {@link TransactionHash} of the transactionId
 */
public record PushItem(String queue, String partition, UUID messageId, String transactionId, long hash, String traceId,
        byte[] line) {

    /** The same message, stored as another line. */
    public PushItem storedAs(byte[] other) {
        return new PushItem(queue, partition, messageId, transactionId, hash, traceId, other);
    }
}
