/**
 * What the rooms share about lanes: segments in memory, reading them, sets of offsets, and the bell that says a lane is
 * worth a look. Knows no operation. Runs on the engine loop, but for the immutable parts.
 */
package io.queenmq.server.lane;
