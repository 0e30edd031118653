/**
 * Calls the routines in {@code schema/…/<feature>/operator}, which operators use. It has its own connections, so that a slow page never
 * delays a message. The catalog notifies the engine of changes.
 */
package io.queenmq.server.operator;
