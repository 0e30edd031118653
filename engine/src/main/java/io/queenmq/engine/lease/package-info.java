/**
 * The leases that this server acquired, in memory. Leases of other servers are looked up in the database.
 * Runs on the engine loop.
 */
@NullMarked
package io.queenmq.engine.lease;

import org.jspecify.annotations.NullMarked;
