/**
 * Redrives: moves dead letters back into partitions, a few at a time, in transactions of its own. The database holds the
 * progress of each redrive, so that any server can continue it.
 */
@NullMarked
package io.queenmq.server.redrive;

import org.jspecify.annotations.NullMarked;
