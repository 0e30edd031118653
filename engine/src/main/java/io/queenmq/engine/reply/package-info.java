/**
 * The reply to a command: its outcome, or the reason for its failure.
 */
package io.queenmq.engine.reply;
