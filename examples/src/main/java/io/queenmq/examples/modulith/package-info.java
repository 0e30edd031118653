/** A Spring Boot application with Spring Modulith that externalizes events to Queen. The guide quotes it. */
package io.queenmq.examples.modulith;
