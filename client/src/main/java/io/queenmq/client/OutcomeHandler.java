package io.queenmq.client;

/** Handles one message and returns its outcome. If it throws, the attempt has failed. */
@FunctionalInterface
public interface OutcomeHandler<T> {
    Outcome decide(Delivery<T> delivery) throws Exception;
}
