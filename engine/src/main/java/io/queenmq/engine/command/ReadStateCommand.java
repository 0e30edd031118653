package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;
import java.util.List;
import java.util.UUID;

/**
 * Asks for the state of a query in one partition; what is given must be true of every row.
 *
 * @param keys null for all
 * @param prefix of the keys; null for all
 * @param ripeUntil only rows with a windowEnd up to this; null for all
 * @param host a hash of the client's address, the same at every server
 */
public record ReadStateCommand(UUID queryId, UUID partitionId, List<String> keys, String prefix, Double ripeUntil,
        long host, Reply<ReadStateOutcome> reply) implements Command {}
