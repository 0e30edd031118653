package io.queenmq.engine.pop;

/**
 * A call that pops wait for in {@link WaitingPops}: the recording of a subscription, the loading of a backlog, or the lease
 * call of another pop for a partition.
 */
sealed interface Awaited permits SubscriptionKey, Backlog, GroupPartition {}
