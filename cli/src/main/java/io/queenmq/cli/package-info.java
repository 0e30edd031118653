/**
 * The command line: one class for each command or small family of commands. What they say goes through {@code output}, and whom
 * they ask is found by {@code settings}. Everything is for one thread.
 */
package io.queenmq.cli;
