/** {@code @QueenTest} in tests of Spring Boot applications. Used if spring-test and a starter of Queen are on the class path. */
@NullMarked
package io.queenmq.test.spring;

import org.jspecify.annotations.NullMarked;
