package io.queenmq.client;

/** What became of one pushed message. */
public sealed interface PushResult {
    String transactionId();

    /** The message is in the queue, now or from before. */
    sealed interface Stored extends PushResult {
        /** The id the server gave to the message that is stored. */
        String messageId();

        String partitionId();
    }

    /** The message was stored. */
    record Queued(String transactionId, String messageId, String partitionId) implements Stored {}

    /** A message with this transactionId was in the partition already; nothing was added. The id is that of the original. */
    record Duplicate(String transactionId, String messageId, String partitionId) implements Stored {}

    /** The message was not stored, because the queue is full for example. */
    record Rejected(String transactionId, String reason) implements PushResult {}
}
