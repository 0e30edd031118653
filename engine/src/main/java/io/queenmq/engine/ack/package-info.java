/**
 * Acknowledges messages: finds the offset and the lease of each acknowledgment and applies it. Uses the leases in memory and,
 * through batches, the routines ack, nack and load_leases. Runs on the engine loop.
 */
@NullMarked
package io.queenmq.engine.ack;

import org.jspecify.annotations.NullMarked;
