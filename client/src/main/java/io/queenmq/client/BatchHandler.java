package io.queenmq.client;

import java.util.List;

/**
 * Does the work for several messages of one lane, in their order. To return is to acknowledge all of them. To throw is to
 * fail the first one: it is then delivered alone, so that what is poisonous is found and its neighbours are not blamed. If
 * payloads could not be decoded, those are to blame, and the others are delivered again without them.
 */
@FunctionalInterface
public interface BatchHandler<T> {
    void handle(List<Delivery<T>> lane) throws Exception;
}
