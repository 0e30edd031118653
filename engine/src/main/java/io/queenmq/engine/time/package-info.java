/**
 * Clocks, and timers of the engine loop.
 */
package io.queenmq.engine.time;
