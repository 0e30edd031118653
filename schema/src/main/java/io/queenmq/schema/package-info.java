/**
 * The SQL of Queen and what puts it into a database: numbered migrations for the tables, and one set of routines per
 * release, each set in a schema of its own, so that servers of two releases can work beside each other.
 *
 * <p>It touches nothing but the connection it is handed. Every call blocks; it is meant to run once, at start.
 */
package io.queenmq.schema;
