/**
 * Delivers messages under leases. {@link io.queenmq.engine.pop.Pops} owns every pop and handles one event after the other;
 * {@link io.queenmq.engine.pop.PopPlanner} decides the next step of a pop; {@link io.queenmq.engine.pop.WaitingPops} contains
 * every waiting pop; {@link io.queenmq.engine.pop.ReadyPartitions} updates the cached state of partitions.
 *
 * <pre>
 * accept ─► PopEvents ─► Pops ─► PopPlanner ─► Lease ─► LeaseCalls ─► PopEvents
 *              ▲                           ├─► Fetch ─► Delivery ─► reply
 *              │                           ├─► Scan ─► BacklogLoader
 *              │                           └─► Wait ─► WaitingPops
 *              └── ReadyPartitions ◄── pushes, ends of leases, alarms, hints, scans, polls
 * </pre>
 *
 * Through batches it calls lease, open_cursors, expire, release, resolve, has_pending and subscribe. Runs on the engine loop.
 */
@NullMarked
package io.queenmq.engine.pop;

import org.jspecify.annotations.NullMarked;
