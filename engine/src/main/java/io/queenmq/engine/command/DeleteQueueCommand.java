package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;
import org.jspecify.annotations.Nullable;

/**
 * Deletes a queue and its messages. Replies true if it existed.
 *
 * @param actor the caller, for the audit log; null without authentication
 */
public record DeleteQueueCommand(@Nullable String actor, String queue, Reply<Boolean> reply) implements Command {}
