package io.queenmq.client;

/** What the server made of word about a delivered message. */
public sealed interface AckResult {
    /** It is as was said: finished, or to be delivered again. */
    record Accepted() implements AckResult {}

    /** It has used up its deliveries, or was given up, and is with the dead letters now. */
    record DeadLettered() implements AckResult {}

    /** Nothing was changed: the lease is over, and the message is or will be delivered again. */
    record LeaseLost(String reason) implements AckResult {}
}
