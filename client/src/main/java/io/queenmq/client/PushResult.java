package io.queenmq.client;

/** The result of one pushed message. */
public sealed interface PushResult {
    String transactionId();

    /** The message is in the queue, stored now or before. */
    sealed interface Stored extends PushResult {
        /** Returns the id that the server assigned to the stored message. */
        String messageId();

        String partitionId();
    }

    /** The message was stored. */
    record Queued(String transactionId, String messageId, String partitionId) implements Stored {}

    /**
     * The partition already had a message with this transactionId. Nothing was added. The id is that of the original.
     */
    record Duplicate(String transactionId, String messageId, String partitionId) implements Stored {}

    /** The message was not stored, for example because the queue is full. */
    record Rejected(String transactionId, String reason) implements PushResult {}
}
