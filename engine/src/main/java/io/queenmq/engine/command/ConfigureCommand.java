package io.queenmq.engine.command;

import io.queenmq.engine.queue.QueueOptions;

import io.queenmq.engine.reply.Reply;

/**
 * Creates a queue or changes the options that are given; null namespace or task means "leave it as it is".
 *
 * @param actor who asks; null when they need not say
 * @param mayRemove true if the caller may remove messages and protection of the queue
 */
public record ConfigureCommand(String actor, boolean mayRemove, String queue, String namespace, String task,
        QueueOptions options,
        Reply<ConfigureOutcome> reply) implements Command {}
