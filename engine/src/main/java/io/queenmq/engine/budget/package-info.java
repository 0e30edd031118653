/**
 * Counts bytes in memory against a limit.
 */
@NullMarked
package io.queenmq.engine.budget;

import org.jspecify.annotations.NullMarked;
