package io.queenmq.server.config;

import io.queenmq.schema.CitusUse;
import java.util.OptionalInt;

/**
 * The shards of the database.
 *
 * @param count required number of shards; empty for the number that the database has, or one
 * @param citus use of a Citus cluster
 * @param isDirect true if this server connects to the nodes with the shards; false if it connects only to the coordinator
 */
public record ShardConfig(OptionalInt count, CitusUse citus, boolean isDirect) {}
