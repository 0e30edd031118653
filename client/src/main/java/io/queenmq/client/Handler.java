package io.queenmq.client;

/** Does the work for one message. To return is to acknowledge it; to throw is to fail it. */
@FunctionalInterface
public interface Handler<T> {
    void handle(Delivery<T> delivery) throws Exception;
}
