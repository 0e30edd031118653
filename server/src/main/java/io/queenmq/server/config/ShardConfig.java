package io.queenmq.server.config;

import io.queenmq.schema.CitusUse;
import java.util.OptionalInt;

/**
 * The shards of the database.
 *
 * @param count how many the database is to have; empty for as many as it has, or one
 * @param citus whether they are spread over a Citus cluster
 * @param isDirect whether this server connects to the nodes that hold them, and not to the coordinator only
 */
public record ShardConfig(OptionalInt count, CitusUse citus, boolean isDirect) {}
