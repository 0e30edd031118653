package io.queenmq.client;

import java.util.List;

/**
 * Handles several messages of one partition and returns one outcome for each, in the same order. Messages with
 * {@code ack} are finished even if an earlier message fails; only messages with another outcome are redelivered, in
 * their order. If one message fails, the retry delay of the queue applies to all that are to be retried. If the handler
 * throws, {@link BatchHandler} describes the effect.
 */
@FunctionalInterface
public interface BatchOutcomeHandler<T> {
    List<Outcome> handle(List<Delivery<T>> partition) throws Exception;
}
