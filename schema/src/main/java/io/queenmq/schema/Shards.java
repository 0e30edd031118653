package io.queenmq.schema;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The shards of a database: schemas with the same tables, each with a subset of the partitions. The first byte of the id of a
 * partition determines its shard, so every server can compute it and it never changes. Thread-safe.
 *
 * @param count the number of shards, fixed when the database is created
 */
public record Shards(int count) {
    /** With more, a shard would have too few partitions of a small queue. The first byte of an id has 256 values. */
    public static final int COUNT_MAX = 64;

    /** A single shard, as in most databases. */
    public static final Shards ONE = new Shards(1);

    /** The schema with the views over the tables of all shards. */
    public static final String ALL = "queen";

    public Shards {
        if (count < 1 || count > COUNT_MAX) {
            throw new IllegalArgumentException(
                    "the number of shards must be from 1 to " + COUNT_MAX + ", not " + count);
        }
    }

    /** Returns the number of the shard of the partition, from 0. A lease id begins like a partition id and has the same shard. */
    public int of(UUID partitionId) {
        return (int) (partitionId.getMostSignificantBits() >>> 56) % count;
    }

    /** Returns the schema of a shard. */
    public static String name(int number) {
        return "queen_%02d".formatted(number);
    }

    /** Returns the search_path for a shard, or for all shards, with the catalog. */
    public static String path(String schema) {
        return schema.equals(ALL) ? ALL : schema + ", " + ALL;
    }

    /** Returns the schemas of all shards, in order. */
    public List<String> names() {
        return IntStream.range(0, count).mapToObj(Shards::name).toList();
    }
}
