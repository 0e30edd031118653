/**
 * The way back of a command: an outcome, or why there is none. Knows nobody.
 */
package io.queenmq.engine.reply;
