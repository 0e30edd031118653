package io.queenmq.engine.command;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The outcome of one pushed message. */
public sealed interface PushOutcome {
    /** The offset is not known to the engine. */
    long UNKNOWN_OFFSET = -1;

    /**
     * The message is stored and flushed to disk by PostgreSQL.
     *
     * @param offset the position in the partition; {@link #UNKNOWN_OFFSET} if the message was stored by a unit of work
     */
    record Queued(UUID partitionId, long offset) implements PushOutcome {}

    /**
     * PostgreSQL is unavailable. The message is flushed to the disk of this server, and will be stored.
     *
     * @param partitionId null if the queue is not in the catalog yet
     */
    record Buffered(@Nullable UUID partitionId) implements PushOutcome {}

    /** The partition has a message with this transactionId. The new message was not stored. */
    record Duplicate(@Nullable UUID partitionId, @Nullable UUID originalMessageId) implements PushOutcome {}

    /** The message was not stored, for a reason of its own. Other messages of the request are not affected. */
    record Failed(String error) implements PushOutcome {}
}
