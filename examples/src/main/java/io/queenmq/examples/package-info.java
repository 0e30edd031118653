/**
 * One small program for each thing the Queen client does. Each takes the URL of a server as its argument, and
 * {@code http://localhost:6632} without one. The guide quotes them, and the tests run them.
 */
package io.queenmq.examples;
