/**
 * The ack room: finds out which offset and lease an acknowledgement speaks of, and applies what was said of the messages.
 * Touches the leases in memory and, through batches, the routines ack, nack and held. Runs on the engine loop.
 */
package io.queenmq.engine.ack;
