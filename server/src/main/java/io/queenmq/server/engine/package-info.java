/**
 * Runs the engine on one event loop, which owns all mutable state. Other threads post commands to the loop and never wait.
 */
@NullMarked
package io.queenmq.server.engine;

import org.jspecify.annotations.NullMarked;
