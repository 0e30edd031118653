/**
 * A real PostgreSQL for tests: one server per test JVM, a database of its own for whoever asks.
 *
 * <p>Safe from any thread; every call blocks.
 */
package io.queenmq.testkit;
