/**
 * The back door: held connections to PostgreSQL and what their failures mean. The only package, beside those that call
 * routines, that knows the driver. Runs on the engine loop.
 */
package io.queenmq.server.postgres;
