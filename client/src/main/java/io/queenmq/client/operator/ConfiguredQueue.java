package io.queenmq.client.operator;

/**
 * A queue after its configuration.
 *
 * @param options all options
 */
public record ConfiguredQueue(String queueId, String name, String namespace, String task, QueueOptions options) {}
