package io.queenmq.engine.command;

import java.util.UUID;

/** What became of one pushed message. */
public sealed interface PushOutcome {
    /** Stored, and flushed to disk by PostgreSQL. */
    record Queued(UUID partitionId) implements PushOutcome {}

    /**
     * PostgreSQL cannot take it now: it is flushed to this server's own disk, and will be stored.
     *
     * @param partitionId null when the queue is not known yet
     */
    record Buffered(UUID partitionId) implements PushOutcome {}

    /** The partition already holds a message with this transactionId: this one was not stored. */
    record Duplicate(UUID partitionId, UUID originalMessageId) implements PushOutcome {}

    /** Not stored, and not because of the other messages of the request. */
    record Failed(String error) implements PushOutcome {}
}
