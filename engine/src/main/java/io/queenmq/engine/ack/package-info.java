/**
 * Acknowledges messages: finds the offset and the lease of each acknowledgment and applies it. Uses the leases in memory and,
 * through batches, the routines ack, nack and held. Runs on the engine loop.
 */
package io.queenmq.engine.ack;
