package io.queenmq.engine.spool;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.push.SpooledPush;
import io.queenmq.engine.push.TransactionHash;
import java.util.UUID;

/**
 * One accepted message that is not in PostgreSQL yet, or one that PostgreSQL refused for good.
 *
 * @param queueId the queue as it was known when the message was accepted; null when there was none yet
 * @param acceptedAtMicros when it was accepted, by this server's clock
 * @param databaseMicros the same by PostgreSQL's clock, by which duplicates are decided
 * @param attemptBase the offset at which a call whose outcome is unknown may have stored the message, or a constant of
 *        {@link SpooledPush}; {@link #ANYWHERE} where nothing is known of such calls
 * @param reason why it was refused; empty for one that waits to be stored
 * @param line as it will be stored, encrypted where the queue is
 */
record SpoolEntry(UUID queueId, String queue, String partition, UUID messageId, String transactionId,
        long acceptedAtMicros, long databaseMicros, long attemptBase, String reason, byte[] line) {

    /** The message may be stored anywhere in its partition. */
    static final long ANYWHERE = -3;

    PushItem item() {
        return new PushItem(queue, partition, messageId, transactionId, TransactionHash.of(transactionId), null, line);
    }

    /** The same message, set aside. */
    SpoolEntry refusedBecause(String why) {
        return new SpoolEntry(queueId, queue, partition, messageId, transactionId, acceptedAtMicros,
                databaseMicros, attemptBase, why, line);
    }

    /**
     * The same message, for another try: whatever queue has its name now is the right one. A crash may leave the refused record
     * behind, which is then put back again.
     */
    SpoolEntry putBack() {
        return new SpoolEntry(null, queue, partition, messageId, transactionId, acceptedAtMicros, databaseMicros,
                ANYWHERE, "", line);
    }

    /**
     * What the push room has to know of it besides the message.
     *
     * @param isRecovered whether an earlier process has appended the entry, and may have stored it
     */
    SpooledPush spooled(boolean isRecovered) {
        boolean isAnywhere = attemptBase == ANYWHERE;
        return new SpooledPush(databaseMicros, isAnywhere ? SpooledPush.NOT_ATTEMPTED : attemptBase,
                isRecovered || isAnywhere);
    }

    /** An entry in the log, and where it stands. */
    record Numbered(long sequence, SpoolEntry entry) {}
}
