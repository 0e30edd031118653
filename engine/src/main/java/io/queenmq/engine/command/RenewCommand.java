package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;
import java.util.UUID;

/** Extends a lease to at least this many seconds from now. */
public record RenewCommand(UUID leaseId, int seconds, Reply<RenewOutcome> reply) implements Command {}
