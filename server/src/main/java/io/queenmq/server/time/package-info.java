/**
 * Alarms of the engine loop.
 */
package io.queenmq.server.time;
