/**
 * Installs the SQL of Queen in a database: numbered migrations for the tables, and one set of routines per release. Each set
 * has its own schema, so that servers of two releases can run side by side.
 *
 * <p>Uses only the connection of the caller. Every call blocks; it is meant to run once, at startup.
 */
@NullMarked
package io.queenmq.schema;

import org.jspecify.annotations.NullMarked;
