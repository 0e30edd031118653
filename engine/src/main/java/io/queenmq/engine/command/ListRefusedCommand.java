package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;
import java.util.List;

/** Lists the oldest messages of the spool that PostgreSQL rejected. */
public record ListRefusedCommand(RefusedFilter filter, int max, Reply<List<RefusedMessage>> reply) implements Command {}
