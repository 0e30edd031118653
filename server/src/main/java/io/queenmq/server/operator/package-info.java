/**
 * Calls the routines in {@code schema/…/<feature>/operator}, which operators use. It has its own connections, so that a slow
 * page never delays a message. The catalog notifies the engine of changes.
 */
@NullMarked
package io.queenmq.server.operator;

import org.jspecify.annotations.NullMarked;
