/**
 * The transact room: ack and push as one unit, with the routine transact. Borrows the partitions of the push room and the
 * sorter of the ack room. Runs on the engine loop.
 */
package io.queenmq.engine.transact;
