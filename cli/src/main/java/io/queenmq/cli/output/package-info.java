/** Output of commands: tables, JSON, YAML, colors, progress. Independent of Queen. */
@NullMarked
package io.queenmq.cli.output;

import org.jspecify.annotations.NullMarked;
