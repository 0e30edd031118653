package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;
import org.jspecify.annotations.Nullable;

/**
 * Records in the database which partitions calls of this server have touched. A count that begins after the reply
 * includes everything that was answered before this command.
 */
public record ReportTouchedCommand(Reply<@Nullable Void> reply) implements Command {}
