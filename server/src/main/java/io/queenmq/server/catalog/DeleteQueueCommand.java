package io.queenmq.server.catalog;

import io.queenmq.server.reply.Reply;

/** Deletes a queue with all that is in it; answered with whether there was one. */
public record DeleteQueueCommand(String queue, Reply<Boolean> reply) {}
