package io.queenmq.client.operator;

/**
 * A queue as it is after it was configured.
 *
 * @param options all of them
 */
public record ConfiguredQueue(String queueId, String name, String namespace, String task, QueueOptions options) {}
