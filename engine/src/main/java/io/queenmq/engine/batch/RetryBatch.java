package io.queenmq.engine.batch;

import java.util.List;

/**
 * Requests of a failed call. They are sent together, without others, and not before dueNs.
 *
 * @param isUnknown true if the outcome of the call is unknown. Then they must not be sent while the call may still be executed
 */
record RetryBatch<C>(List<Waiting<C>> requests, long dueNs, boolean isUnknown) {}
