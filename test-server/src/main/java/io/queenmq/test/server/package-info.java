/** The process that {@code queen-test} starts: a Queen server with its PostgreSQL, controlled by the test's JVM. */
@NullMarked
package io.queenmq.test.server;

import org.jspecify.annotations.NullMarked;
