package io.queenmq.client;

/** The result of one pushed message. */
public sealed interface PushResult {
    String transactionId();

    /** The message was accepted: it is in the queue, stored now or before, or on the disk of the server. */
    sealed interface Stored extends PushResult {
        /** Returns the id that the server assigned to the stored message. */
        String messageId();

        String partitionId();
    }

    /**
     * The message was accepted.
     *
     * @param isSpooled true if the message is on the disk of the server, because PostgreSQL is unavailable or pushes are closed.
     *     The server stores it later
     */
    record Queued(String transactionId, String messageId, String partitionId, boolean isSpooled) implements Stored {
        /** Creates the result of a message that is in the queue. */
        public Queued(String transactionId, String messageId, String partitionId) {
            this(transactionId, messageId, partitionId, false);
        }
    }

    /**
     * The partition already had a message with this transactionId. Nothing was added. The id is that of the original.
     */
    record Duplicate(String transactionId, String messageId, String partitionId) implements Stored {}

    /** The message was not stored, for example because the queue is full. */
    record Rejected(String transactionId, String reason) implements PushResult {}
}
