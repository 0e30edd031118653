/**
 * A Queen server and its PostgreSQL for tests of applications, in the JVM of the test, with methods that cause
 * failures.
 */
@NullMarked
package io.queenmq.test;

import org.jspecify.annotations.NullMarked;
