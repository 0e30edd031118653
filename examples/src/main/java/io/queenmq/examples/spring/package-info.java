/** A Spring Boot application that accepts orders and bills them. The guide quotes it, and a test starts it. */
package io.queenmq.examples.spring;
