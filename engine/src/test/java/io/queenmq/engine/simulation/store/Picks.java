package io.queenmq.engine.simulation.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Selects the objects of a step at random, from few names, so that steps collide. */
final class Picks {
    static final List<String> QUEUES = List.of("orders", "mail");
    static final List<String> PARTITIONS = List.of("Default", "a", "b");
    static final List<String> GROUPS = List.of(Database.NO_GROUP, "billing");

    private final SplittableRandom random;
    private final Store store;

    Picks(SplittableRandom random, Store store) {
        this.random = random;
        this.store = store;
    }

    boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    UUID queueId(String name) {
        QueueRow queue = store.database().catalog.find(name);
        return queue == null ? md5("no queue") : queue.id();
    }

    /** Returns mostly an existing cursor, often a leased one. */
    GroupInPartition spot() {
        List<Cursor> cursors = store.database().cursors.all().stream().filter(cursor -> !oneIn(3) || cursor.isHeld())
                .toList();
        if (!cursors.isEmpty() && !oneIn(3)) {
            Cursor cursor = any(cursors);
            return new GroupInPartition(cursor.partition().queue().name(), cursor.partition().name(),
                    cursor.partition().id(), cursor.group());
        }
        String queue = any(QUEUES);
        String partition = any(PARTITIONS);
        return new GroupInPartition(queue, partition, PartitionTable.idOf(queueId(queue), partition), any(GROUPS));
    }

    /** Returns some (partition, group) of one shard, each once. */
    List<GroupInPartition> spots() {
        List<GroupInPartition> spots = spotsAnywhere();
        return spots.stream().filter(spot -> shardOf(spot) == shardOf(spots.getFirst())).toList();
    }

    private List<GroupInPartition> spotsAnywhere() {
        Set<GroupInPartition> spots = new LinkedHashSet<>();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            spots.add(spot());
        }
        return List.copyOf(spots);
    }

    int shardOf(GroupInPartition spot) {
        return store.database().shards().of(spot.partitionId());
    }

    /** Returns some partitions of one shard, each once. */
    List<GroupInPartition> partitions() {
        return eachPartitionOnce(spots());
    }

    /** Returns some partitions, each once. */
    List<GroupInPartition> partitionsAnywhere() {
        return eachPartitionOnce(spotsAnywhere());
    }

    private static List<GroupInPartition> eachPartitionOnce(List<GroupInPartition> spots) {
        List<GroupInPartition> partitions = new ArrayList<>();
        for (GroupInPartition spot : spots) {
            if (partitions.stream().noneMatch(partition -> partition.partitionId().equals(spot.partitionId()))) {
                partitions.add(spot);
            }
        }
        return partitions;
    }

    Partition partition(GroupInPartition spot) {
        return store.database().partitions.find(spot.partitionId());
    }

    Integer[] numbers(int size, Supplier<Integer> number) {
        return IntStream.range(0, size).mapToObj(_ -> number.get()).toArray(Integer[]::new);
    }

    static UUID md5(String text) {
        try {
            ByteBuffer digest = ByteBuffer
                    .wrap(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8)));
            return new UUID(digest.getLong(), digest.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    UUID[] queueIds(List<GroupInPartition> spots) {
        return spots.stream().map(spot -> queueId(spot.queue())).toArray(UUID[]::new);
    }
}
