/**
 * Upkeep: retention, eviction, idle partitions, old figures and the keys of encrypted messages. One server at a time does it, on a virtual thread and a connection of its
 * own, in small transactions that wait for nobody. Talks to nobody but the database; others notice what it removed.
 */
package io.queenmq.server.upkeep;
