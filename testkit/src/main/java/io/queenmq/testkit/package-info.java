/**
 * A real PostgreSQL for tests: one server per test JVM, and a database per test. And the other end:
 * a plain client of Queen's HTTP API. And the programs of the system that some tests use.
 *
 * <p>Safe from any thread; every call blocks.
 */
@NullMarked
package io.queenmq.testkit;

import org.jspecify.annotations.NullMarked;
