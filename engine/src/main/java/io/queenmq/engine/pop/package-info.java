/**
 * The pop room. {@link io.queenmq.engine.pop.Pops} moves each pop through the states of
 * {@link io.queenmq.engine.pop.PopState}; {@link io.queenmq.engine.pop.Readiness} keeps what is believed of partitions and wakes
 * those who wait; {@link io.queenmq.engine.pop.Backlog} is the ready index of one group in one queue.
 *
 * <pre>
 * accept ─► subscribe, once per group ─► resolve (memory; Sweeps when in doubt) ─► LeaseDesk ─► Delivery ─► answer
 *                                            ▲                                       │ nothing
 *                                            └── Readiness ◄── bells, alarms ◄── Parking ◄─┘ and allowed to wait
 * </pre>
 *
 * Through batches it calls lease, open_cursors, expire, release, resolve, has_pending and subscribe. Runs on the engine loop.
 */
package io.queenmq.engine.pop;
