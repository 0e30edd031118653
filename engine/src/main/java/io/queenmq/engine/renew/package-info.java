/**
 * Renews leases, with the routine renew. Runs on the engine loop.
 */
@NullMarked
package io.queenmq.engine.renew;

import org.jspecify.annotations.NullMarked;
