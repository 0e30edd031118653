/**
 * The command line: one class per command or family of commands. Commands print with {@code output} and find their server with
 * {@code settings}. A process has one command, which runs on one thread.
 */
@NullMarked
package io.queenmq.cli;

import org.jspecify.annotations.NullMarked;
