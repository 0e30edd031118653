package io.queenmq.engine.spool;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.push.SpooledPush;
import io.queenmq.engine.push.TransactionHash;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An accepted message that is not stored in PostgreSQL yet, or that PostgreSQL has refused.
 *
 * @param queueId the id of the queue when the message was accepted; null if the queue was not known
 * @param acceptedAtMicros the acceptance time, by the clock of this server
 * @param databaseMicros the acceptance time by PostgreSQL's clock, which decides about duplicates
 * @param attemptBase the offset at which a call whose outcome is unknown may have stored the message, or a constant of
 *        {@link SpooledPush}; {@link #ANYWHERE} if such calls are unknown
 * @param reason the reason for its refusal; empty for a pending entry
 * @param line the line as it will be stored, encrypted if the queue is encrypted
 */
record SpoolEntry(@Nullable UUID queueId, String queue, String partition, UUID messageId, String transactionId,
        long acceptedAtMicros, long databaseMicros, long attemptBase, String reason, byte[] line) {

    /** The message may be stored anywhere in its partition. */
    static final long ANYWHERE = -3;

    PushItem item() {
        return new PushItem(queue, partition, messageId, transactionId, TransactionHash.of(transactionId), null, line);
    }

    /** Returns the same message as a refused one. */
    SpoolEntry refused(String why) {
        return new SpoolEntry(queueId, queue, partition, messageId, transactionId, acceptedAtMicros, databaseMicros,
                attemptBase, why, line);
    }

    /**
     * Returns the same message for another attempt, in the queue that has its name then. After a crash the refused
     * record may still exist and be restored again.
     */
    SpoolEntry restore() {
        return new SpoolEntry(null, queue, partition, messageId, transactionId, acceptedAtMicros, databaseMicros,
                ANYWHERE, "", line);
    }

    /**
     * Returns the data that the module push needs besides the message.
     *
     * @param isRecovered true if an earlier process has appended the entry, and may have stored it
     */
    SpooledPush spooled(boolean isRecovered) {
        boolean isAnywhere = attemptBase == ANYWHERE;
        return new SpooledPush(databaseMicros, isAnywhere ? SpooledPush.NOT_ATTEMPTED : attemptBase,
                isRecovered || isAnywhere);
    }

    /** An entry with its sequence number in the log. */
    record Numbered(long sequence, SpoolEntry entry) {}
}
