/**
 * One small program for each feature of the client. Each takes the URL of a server as its argument (default: {@code
 * http://localhost:6632}). The guide quotes them, and tests run them.
 */
package io.queenmq.examples;
