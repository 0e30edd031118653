package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;

/** Deletes rejected messages of the spool. Replies with their number. */
public record DropRefusedCommand(RefusedFilter filter, Reply<Integer> reply) implements Command {}
