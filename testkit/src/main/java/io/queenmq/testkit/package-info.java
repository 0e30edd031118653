/**
 * Shared parts of tests: a PostgreSQL server per test JVM with a database per test, a plain client of Queen's HTTP API,
 * and programs of the system that some tests use.
 *
 * <p>Safe for use by several threads. Every call blocks.
 */
@NullMarked
package io.queenmq.testkit;

import org.jspecify.annotations.NullMarked;
