package io.queenmq.client.operator;

/** What the queues of one namespace, or of one task, hold together, as last counted. */
public record QueueFamily(String name, long queues, long partitions, long total, long pending) {}
