/**
 * Decides which hints the servers on one database send to each other. A hint says where to look, never what is true, so that
 * losing all of them costs only time. Runs on the engine loop; a {@link io.queenmq.engine.cluster.Transport} carries hints.
 */
package io.queenmq.engine.cluster;
