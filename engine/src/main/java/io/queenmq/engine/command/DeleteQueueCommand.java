package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;

/**
 * Deletes a queue with all that is in it; answered with whether there was one.
 *
 * @param actor who asks; null when they need not say
 */
public record DeleteQueueCommand(String actor, String queue, Reply<Boolean> reply) implements Command {}
