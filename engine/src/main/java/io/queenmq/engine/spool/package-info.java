/**
 * The spool: pushes that PostgreSQL cannot take now are kept in files of this server, flushed to its disk, and stored as
 * soon as it can, oldest first, through the push room. {@link io.queenmq.engine.spool.Spool} decides on the engine loop;
 * {@link io.queenmq.engine.spool.SpoolLog} owns the files on a thread of its own; {@link io.queenmq.engine.spool.SpoolWriter}
 * carries work from one to the other and back.
 */
package io.queenmq.engine.spool;
