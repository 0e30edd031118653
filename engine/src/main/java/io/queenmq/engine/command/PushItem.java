package io.queenmq.engine.command;

import io.queenmq.engine.push.TransactionHash;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message to be pushed. The line is complete as it will be stored, with its line break, so that the engine never
 * parses payloads.
 *
 * @param hash the {@link TransactionHash} of the transactionId
 */
public record PushItem(String queue, String partition, UUID messageId, String transactionId, long hash,
        @Nullable String traceId, byte[] line) {

    /** Returns the same message with another line. */
    public PushItem withLine(byte[] other) {
        return new PushItem(queue, partition, messageId, transactionId, hash, traceId, other);
    }
}
