package io.queenmq.engine.command;

import io.queenmq.engine.queue.QueueOptions;

import io.queenmq.engine.reply.Reply;
import org.jspecify.annotations.Nullable;

/**
 * Creates a queue, or changes the given options. A null namespace or task is left unchanged.
 *
 * @param actor the caller, for the audit log; null without authentication
 * @param mayRemove true if the caller may remove messages and protection of the queue
 */
public record ConfigureCommand(@Nullable String actor, boolean mayRemove, String queue, @Nullable String namespace,
        @Nullable String task, QueueOptions options, Reply<ConfigureOutcome> reply) implements Command {}
