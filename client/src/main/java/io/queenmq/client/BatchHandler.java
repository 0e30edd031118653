package io.queenmq.client;

import java.util.List;

/**
 * Handles several messages of one partition in their order. If it returns, all of them are acknowledged. If it throws,
 * all of them fail and are redelivered together; the last attempt is made one message at a time, so that only failing
 * messages are dead-lettered. If the queue has no retries ({@code retryLimit} 0), all of them are dead-lettered.
 * Payloads that cannot be decoded fail only their own messages; the others are redelivered without them.
 */
@FunctionalInterface
public interface BatchHandler<T> {
    void handle(List<Delivery<T>> partition) throws Exception;
}
