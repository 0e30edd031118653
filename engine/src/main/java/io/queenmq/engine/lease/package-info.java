/**
 * The leases this server gave, in memory. Knows no operation and no database: what is not here is asked for elsewhere.
 * Runs on the engine loop.
 */
package io.queenmq.engine.lease;
