/**
 * Queen in Spring Boot applications: a client made from properties, listeners, a template that joins transactions, health
 * and meters. The same for Spring Boot 3 and 4; what differs is in their starters.
 */
@NullMarked
package io.queenmq.spring;

import org.jspecify.annotations.NullMarked;
