/**
 * Decides which hints the servers on one database send to each other. A hint triggers a query of the database and is
 * never trusted itself, so losing all hints costs only time. Runs on the engine loop; a {@link
 * io.queenmq.engine.cluster.Transport} carries hints.
 */
@NullMarked
package io.queenmq.engine.cluster;

import org.jspecify.annotations.NullMarked;
