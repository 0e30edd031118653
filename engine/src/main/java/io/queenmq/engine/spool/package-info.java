/**
 * Stores pushes in files of this server while PostgreSQL is unavailable, and drains them, oldest first, through push.
 * {@link io.queenmq.engine.spool.Spool} decides on the engine loop; {@link io.queenmq.engine.spool.SpoolLog} owns the
 * files, on a thread of its own; {@link io.queenmq.engine.spool.SpoolWriter} passes work between the two.
 */
@NullMarked
package io.queenmq.engine.spool;

import org.jspecify.annotations.NullMarked;
