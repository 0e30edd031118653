/** A Spring Boot application that takes orders and bills them. The guide quotes it, and a test starts it. */
package io.queenmq.examples.spring;
