package io.queenmq.engine.ack;

import io.queenmq.engine.ack.AckRoutines.LoadedLease;
import io.queenmq.engine.reply.Reply;
import java.util.Optional;
import java.util.UUID;

/** A query for the position of a group in a partition. The reply is empty if the partition does not exist. */
record AckLookup(UUID partitionId, String group, Reply<Optional<LoadedLease>> reply) {}
