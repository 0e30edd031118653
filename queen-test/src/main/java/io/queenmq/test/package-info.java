/** A real Queen in the tests of applications: the server and its PostgreSQL in the test's own JVM, and ways to be mean to them. */
@NullMarked
package io.queenmq.test;

import org.jspecify.annotations.NullMarked;
