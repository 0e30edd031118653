package io.queenmq.spring;

/** Names of the headers of a {@code Message<?>} beside those that were pushed. */
public final class QueenHeaders {
    /** The queue, a String. */
    public static final String QUEUE = "queen_queue";
    /** The partition, a String. */
    public static final String PARTITION = "queen_partition";
    /** The consumer group, a String; missing without a group. */
    public static final String GROUP = "queen_group";
    /** The transactionId, a String. */
    public static final String TRANSACTION_ID = "queen_transactionId";
    /** The id that the server assigned to the message, a String. */
    public static final String MESSAGE_ID = "queen_messageId";
    /** The attempt, an Integer: 1 at the first delivery. */
    public static final String ATTEMPT = "queen_attempt";
    /** The time at which the message was stored, an Instant. */
    public static final String CREATED_AT = "queen_createdAt";
    /** The {@link io.queenmq.client.Delivery}. */
    public static final String DELIVERY = "queen_delivery";
    /** The reason of a dead letter, a String. Only for the method of {@link QueenListener#deadLetter}. */
    public static final String DEAD_LETTER_REASON = "queen_deadLetterReason";

    private QueenHeaders() {}
}
