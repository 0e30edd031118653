/** Commands that the engine executes, with their items and outcomes. Data only. */
package io.queenmq.engine.command;
