package io.queenmq.client.operator;

/** The totals of the queues of one namespace or task, as last counted. */
public record QueueTotals(String name, long queues, long partitions, long total, long pending) {}
