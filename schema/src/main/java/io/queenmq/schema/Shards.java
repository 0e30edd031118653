package io.queenmq.schema;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The shards of a database: schemas that hold the same tables, each with the partitions that belong to it. A partition's shard follows
 * from the first byte of its id, so any server can tell, and never changes. Free to use from any thread.
 *
 * @param count how many there are; fixed when the database is first set up
 */
public record Shards(int count) {
    /** More would leave too few partitions of a small queue in each, and the first byte of an id has no more to give than 256. */
    public static final int COUNT_MAX = 64;

    /** As most databases are. */
    public static final Shards ONE = new Shards(1);

    /** The schema in which reading a table is reading those of all shards. */
    public static final String ALL = "queen";

    public Shards {
        if (count < 1 || count > COUNT_MAX) {
            throw new IllegalArgumentException(
                    "the number of shards must be from 1 to " + COUNT_MAX + ", not " + count);
        }
    }

    /** The number of the shard that holds the partition, from 0. A lease id begins like a partition's id, and is found by it, too. */
    public int of(UUID partitionId) {
        return (int) (partitionId.getMostSignificantBits() >>> 56) % count;
    }

    /** The schema of a shard. */
    public static String name(int number) {
        return "queen_%02d".formatted(number);
    }

    /** The search_path with which routines work in a shard, or on all shards: the catalog is in it, too. */
    public static String path(String schema) {
        return schema.equals(ALL) ? ALL : schema + ", " + ALL;
    }

    /** The schemas of all shards, in order. */
    public List<String> names() {
        return IntStream.range(0, count).mapToObj(Shards::name).toList();
    }
}
