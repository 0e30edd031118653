/**
 * What the rooms share about partitions: segments in memory, reading them, sets of offsets, and the bell that says a partition is
 * worth a look. Knows no operation. Runs on the engine loop, but for the immutable parts.
 */
package io.queenmq.engine.partition;
