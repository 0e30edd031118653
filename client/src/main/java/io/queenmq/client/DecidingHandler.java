package io.queenmq.client;

/** Does the work for one message and says what is to become of it. To throw is to fail it. */
@FunctionalInterface
public interface DecidingHandler<T> {
    Outcome decide(Delivery<T> delivery) throws Exception;
}
