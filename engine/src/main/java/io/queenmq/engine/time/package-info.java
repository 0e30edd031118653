/**
 * Clocks, and timers of the engine loop.
 */
@NullMarked
package io.queenmq.engine.time;

import org.jspecify.annotations.NullMarked;
