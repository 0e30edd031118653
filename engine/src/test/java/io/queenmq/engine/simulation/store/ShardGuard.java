package io.queenmq.engine.simulation.store;

import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.schema.Shards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Knows on which sessions a routine may be called. In a real database a routine that is called in the wrong shard finds
 * nothing and says so, which looks like an answer; here it is a defect that ends the play.
 */
final class ShardGuard {
    private static final Set<String> OF_CATALOG = Set.of("subscribe", "create_queues", "configure", "delete_queue",
            "await_pushes", "report_numbers", "report_presence");
    /** They do their work in every shard they are about, one after the other. */
    private static final Set<String> ACROSS_SHARDS = Set.of("transact");
    private static final List<String> PARTITIONS = List.of("partition_ids", "push_partition_ids", "ack_partition_ids",
            "lease_ids", "ack_lease_ids", "required_lease_ids");

    private final Shards shards;

    ShardGuard(Shards shards) {
        this.shards = shards;
    }

    /** Whether it is called on sessions of the catalog. */
    static boolean isOfCatalog(String routine) {
        return OF_CATALOG.contains(routine);
    }

    /** @param shard whose session it is, or that of the catalog */
    void check(String routine, Arguments arguments, int shard) {
        if (shards.count() == 1) {
            return;
        }
        if (OF_CATALOG.contains(routine) != (shard == ShardConnections.CATALOG) && !ACROSS_SHARDS.contains(routine)) {
            throw new AssertionError(routine + " was called on a session of " + name(shard));
        }
        Set<Integer> meant = shardsOf(arguments);
        if (shard != ShardConnections.CATALOG && !Set.of(shard).containsAll(meant)) {
            throw new AssertionError(
                    routine + " was called on a session of " + name(shard) + " about partitions of shards " + meant);
        }
    }

    /** The numbers of the shards that the partitions and leases of a call are in. */
    Set<Integer> shardsOf(Arguments arguments) {
        List<UUID> ids = new ArrayList<>();
        for (String name : PARTITIONS) {
            if (arguments.has(name)) {
                ids.addAll(Arrays.asList(arguments.uuids(name)));
            }
        }
        Set<Integer> found = new TreeSet<>();
        ids.stream().filter(Objects::nonNull).forEach(id -> found.add(shards.of(id)));
        return found;
    }

    private static String name(int shard) {
        return shard == ShardConnections.CATALOG ? "the catalog" : "shard " + shard;
    }
}
