package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;
import org.jspecify.annotations.Nullable;

/**
 * Registers a query, or finds the registered one.
 *
 * @param actor the caller, for the audit log; null without authentication
 * @param sinkQueue null if the query has none
 * @param isReset true to delete its state
 */
public record RegisterQueryCommand(@Nullable String actor, String name, String sourceQueue, @Nullable String sinkQueue,
        String configHash, boolean isReset, Reply<RegisterQueryOutcome> reply) implements Command {}
