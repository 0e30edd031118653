package io.queenmq.client;

/** The result of acknowledging a delivered message. */
public sealed interface AckResult {
    /** The acknowledgment is stored: the message is finished or will be redelivered. */
    record Accepted() implements AckResult {}

    /** The message is dead-lettered: it has used up its attempts, or the request asked for it. */
    record DeadLettered() implements AckResult {}

    /** Nothing was changed. The lease has ended, and the message is or will be redelivered. */
    record LeaseLost(String reason) implements AckResult {}
}
