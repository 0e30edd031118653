package io.queenmq.client;

import java.util.List;

/**
 * Does the work for several messages of one partition, in their order. To return is to acknowledge all of them. To throw is to
 * fail all of them: they are delivered together again, and the last time one by one, so that only what is poisonous becomes
 * a dead letter. Where the queue has no retries ({@code retryLimit} 0) all of them do.
 * If payloads could not be decoded, those alone are to blame, and the others are delivered again without them.
 */
@FunctionalInterface
public interface BatchHandler<T> {
    void handle(List<Delivery<T>> partition) throws Exception;
}
