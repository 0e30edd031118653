package io.queenmq.server.catalog;

import io.queenmq.server.reply.Reply;

/**
 * Creates a queue or changes the options that are given; null namespace or task means "leave it as it is".
 *
 * @param actor who asks; null when they need not say
 */
public record ConfigureCommand(String actor, String queue, String namespace, String task, QueueOptions options,
        Reply<ConfigureOutcome> reply) {}
