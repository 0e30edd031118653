/**
 * Counts bytes in memory against a limit.
 */
package io.queenmq.engine.budget;
