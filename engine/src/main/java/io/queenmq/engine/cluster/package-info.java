/**
 * The cluster room: what servers on one database tell each other. Everything told is a hint: it says where to look, never
 * what is true, so that losing all of them costs only time. This package decides what is told to whom and runs on the engine
 * loop; {@code group} carries it.
 */
package io.queenmq.engine.cluster;
