/**
 * What operators read and change: calls of the routines in {@code schema/…/<feature>/operator}, on connections of their own, so that
 * a slow page never holds up a message. Knows the database; the engine hears of changes through the catalog.
 */
package io.queenmq.server.operator;
