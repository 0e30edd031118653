/**
 * Runs the engine on one event loop, which owns all mutable state. Other threads post commands to it and never wait.
 */
package io.queenmq.server.engine;
