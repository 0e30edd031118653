/**
 * A Queen server and its PostgreSQL for tests of applications, in a process of their own, with methods that cause
 * failures.
 */
@NullMarked
package io.queenmq.test;

import org.jspecify.annotations.NullMarked;
