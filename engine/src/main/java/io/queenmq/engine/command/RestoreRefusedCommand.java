package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;

/** Stores rejected messages of the spool once more. Replies with their number. */
public record RestoreRefusedCommand(RefusedFilter filter, Reply<Integer> reply) implements Command {}
