/** Commands that the engine executes, with their items and outcomes. Data only. */
@NullMarked
package io.queenmq.engine.command;

import org.jspecify.annotations.NullMarked;
