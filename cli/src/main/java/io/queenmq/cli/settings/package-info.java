/** The server that commands connect to: options, environment and contexts. */
@NullMarked
package io.queenmq.cli.settings;

import org.jspecify.annotations.NullMarked;
