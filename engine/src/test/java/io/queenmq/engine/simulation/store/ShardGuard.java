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
 * Checks that routines are called on the right sessions. In a real database a routine in the wrong shard returns an
 * empty result, which looks valid. Here it is an error.
 */
final class ShardGuard {
    private static final Set<String> OF_CATALOG = Set.of("subscribe", "create_queues", "configure", "delete_queue",
            "await_pushes", "report_numbers", "report_presence");
    /** Routines that process each affected shard in turn. */
    private static final Set<String> ACROSS_SHARDS = Set.of("transact");
    private static final List<String> PARTITIONS = List.of("partition_ids", "push_partition_ids", "ack_partition_ids",
            "lease_ids", "ack_lease_ids", "required_lease_ids");

    private final Shards shards;

    ShardGuard(Shards shards) {
        this.shards = shards;
    }

    /** Returns true if the routine is called on sessions of the catalog. */
    static boolean isOfCatalog(String routine) {
        return OF_CATALOG.contains(routine);
    }

    /** @param shard the shard of the session, or the catalog */
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

    /** Returns the shards of the partitions and leases of a call. */
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
