/**
 * Opens connections to PostgreSQL.
 */
package io.queenmq.server.postgres;
