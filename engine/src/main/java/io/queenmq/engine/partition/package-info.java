/**
 * Segments in memory and the reading of them, sets of offsets, and the signal of arrivals. Runs on the engine loop, except for
 * the immutable types, which are safe from any thread.
 */
@NullMarked
package io.queenmq.engine.partition;

import org.jspecify.annotations.NullMarked;
