package io.queenmq.server.spool;

import io.queenmq.server.push.PushItem;
import io.queenmq.server.push.TransactionHash;
import java.util.UUID;

/**
 * One accepted message that is not in PostgreSQL yet, or one that PostgreSQL refused for good.
 *
 * @param queueId the queue as it was known when the message was accepted; null when there was none yet
 * @param acceptedAtMicros when it was accepted, by this server's clock
 * @param reason why it was refused; empty for one that waits to be stored
 * @param line as it will be stored, encrypted where the queue is
 */
record SpoolEntry(UUID queueId, String queue, String partition, UUID messageId, String transactionId,
        long acceptedAtMicros, String reason, byte[] line) {

    PushItem item() {
        return new PushItem(queue, partition, messageId, transactionId, TransactionHash.of(transactionId), null, line);
    }

    /** The same message, set aside. */
    SpoolEntry refusedBecause(String why) {
        return new SpoolEntry(queueId, queue, partition, messageId, transactionId, acceptedAtMicros, why, line);
    }

    /** The same message, for another try: whatever queue has its name now is the right one. */
    SpoolEntry putBack() {
        return new SpoolEntry(null, queue, partition, messageId, transactionId, acceptedAtMicros, "", line);
    }

    /** An entry in the log, and where it stands. */
    record Numbered(long sequence, SpoolEntry entry) {}
}
