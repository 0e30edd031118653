/**
 * Queen in Spring Boot applications: a client made from properties, listeners, a template that joins transactions, health
 * and meters.
 */
package io.queenmq.spring;
