/**
 * Segments in memory and the reading of them, sets of offsets, and the signal of arrivals. Runs on the engine loop, but for the immutable parts.
 */
package io.queenmq.engine.partition;
