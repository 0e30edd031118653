package io.queenmq.engine.renew;

import io.queenmq.engine.reply.Reply;
import java.util.UUID;

/** Asks for a lease to last at least this many seconds from now. */
public record RenewCommand(UUID leaseId, int seconds, Reply<RenewOutcome> reply) {}
