/**
 * Renews leases, with the routine renew. Runs on the engine loop.
 */
package io.queenmq.engine.renew;
