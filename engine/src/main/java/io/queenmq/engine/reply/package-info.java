/**
 * The reply to a command: its outcome, or the reason for its failure.
 */
@NullMarked
package io.queenmq.engine.reply;

import org.jspecify.annotations.NullMarked;
