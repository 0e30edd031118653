/**
 * Appends messages: a queue of pending pushes per partition, deduplication windows, segments. Through batches it calls push,
 * push_bounded and catch_up. It signals stored messages with {@link io.queenmq.engine.partition.Arrivals}. Runs on the
 * engine loop.
 */
@NullMarked
package io.queenmq.engine.push;

import org.jspecify.annotations.NullMarked;
