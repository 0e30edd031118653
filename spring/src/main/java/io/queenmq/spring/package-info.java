/**
 * Queen in Spring Boot applications: a client configured by properties, listeners, a template that joins transactions,
 * health and meters. Shared by Spring Boot 3 and 4; the starters contain the differences.
 */
@NullMarked
package io.queenmq.spring;

import org.jspecify.annotations.NullMarked;
