package io.queenmq.server.ack;

import io.queenmq.server.ack.AckRoutines.Held;
import io.queenmq.server.reply.Reply;
import java.util.UUID;

/** A question to the database about a group's place in a partition; answered with null where there is no such partition. */
record AckLookup(UUID partitionId, String group, Reply<Held> reply) {}
