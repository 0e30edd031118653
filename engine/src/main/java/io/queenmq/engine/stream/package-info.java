/**
 * Executes requests of stream runners: registers queries, reads state, and applies cycles, which change state, push and
 * acknowledge as one unit of work. Calls register_query, find_queries, read_state and cycle. Runs on the engine loop.
 */
@NullMarked
package io.queenmq.engine.stream;

import org.jspecify.annotations.NullMarked;
