package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;

/**
 * Makes a query known, or finds it again.
 *
 * @param actor who asks; null when they need not say
 * @param sinkQueue null when the query has none
 * @param isReset whether to give up the state it has
 */
public record RegisterQueryCommand(String actor, String name, String sourceQueue, String sinkQueue, String configHash,
        boolean isReset, Reply<RegisterQueryOutcome> reply) implements Command {}
