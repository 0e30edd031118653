/**
 * The push room: a line per partition, duplicate windows, segments. Through batches it calls push, push_bounded and catch_up. What it stores it
 * announces with {@link io.queenmq.engine.partition.Arrivals}. Runs on the engine loop.
 */
package io.queenmq.engine.push;
