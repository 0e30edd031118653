/**
 * Upkeep: retention, eviction, idle partitions, old numbers and the keys of encrypted messages. One server at a time runs it, on
 * its own virtual thread and connection, in small transactions that do not wait for row locks. It notifies no other module and no
 * peer: they detect removed messages when they read them.
 */
@NullMarked
package io.queenmq.server.upkeep;

import org.jspecify.annotations.NullMarked;
