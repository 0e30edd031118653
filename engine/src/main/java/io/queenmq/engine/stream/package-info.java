/**
 * The stream room: what runners of stream queries ask for. A query is registered, its state is read, and a cycle changes
 * state, pushes and acknowledges as one unit, with the routines register_query, find_queries, read_state and cycle. Borrows
 * the bundles of the push room and the sorter of the ack room. Runs on the engine loop.
 */
package io.queenmq.engine.stream;
