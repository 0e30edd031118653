package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the state of a query in one partition. Each row must match all given conditions.
 *
 * @param keys null for all
 * @param prefix of the keys; null for all
 * @param ripeUntil the maximum windowEnd of rows; null for all
 * @param host a hash of the client's address, equal on all servers
 */
public record ReadStateCommand(UUID queryId, UUID partitionId, @Nullable List<String> keys, @Nullable String prefix,
        @Nullable Double ripeUntil, long host, Reply<ReadStateOutcome> reply) implements Command {}
