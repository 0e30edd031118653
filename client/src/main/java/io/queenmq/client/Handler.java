package io.queenmq.client;

/** Handles one message. If it returns, the message is acknowledged. If it throws, the attempt has failed. */
@FunctionalInterface
public interface Handler<T> {
    void handle(Delivery<T> delivery) throws Exception;
}
