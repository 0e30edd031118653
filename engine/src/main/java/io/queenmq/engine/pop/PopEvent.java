package io.queenmq.engine.pop;

/**
 * An event of the pop module: a pop to be planned, a partition that may have messages for waiting pops, a backlog of which
 * a page was loaded, or a round of lease calls that is complete. {@link PopEvents} holds them in order.
 */
sealed interface PopEvent permits Pop, GroupPartition, Backlog, LeaseRound {}
