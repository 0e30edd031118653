/**
 * The door between HTTP and everything behind it: one event loop that owns all mutable state of the server.
 * Wires the rooms together; other threads post commands to it and never wait.
 */
package io.queenmq.server.engine;
