package io.queenmq.engine.ack;

import io.queenmq.engine.ack.AckRoutines.Held;
import io.queenmq.engine.reply.Reply;
import java.util.UUID;

/** A question to the database about a group's place in a partition; answered with null where there is no such partition. */
record AckLookup(UUID partitionId, String group, Reply<Held> reply) {}
