package io.queenmq.engine.simulation.store;

import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;

/** Steps of consumers. */
final class ConsumerSteps {
    private final Stage stage;
    private final Picks picks;
    private final SplittableRandom random;
    private final ProducerSteps producers;
    private final List<Given> leases = new ArrayList<>();

    ConsumerSteps(Stage stage, Picks picks, SplittableRandom random, ProducerSteps producers) {
        this.stage = stage;
        this.picks = picks;
        this.random = random;
        this.producers = producers;
    }

    /** An acquired lease. */
    private record Given(UUID leaseId, GroupInPartition spot, long first, long end) {}

    void openCursors() {
        List<GroupInPartition> spots = picks.spots();
        stage.call("open_cursors", GroupInPartition.partitionIds(spots), GroupInPartition.groups(spots),
                spots.stream().map(
                        _ -> picks.oneIn(3) ? Moments.of(stage.now() - random.nextInt(100) * Moments.SECOND) : null)
                        .toArray(OffsetDateTime[]::new));
    }

    void subscribe() {
        boolean isOfQueue = random.nextBoolean();
        String mode = picks.any(List.of("all", "new", "timestamp"));
        stage.call("subscribe", picks.any(Picks.GROUPS), isOfQueue ? picks.any(Picks.QUEUES) : "",
                isOfQueue ? "" : picks.any(List.of("", "shop", "x")), "", mode,
                mode.equals("timestamp") ? Moments.of(stage.now() - random.nextInt(60) * Moments.SECOND) : null,
                Stage.PARTITIONS_MAX);
    }

    void lease() {
        boolean isAutoAck = picks.oneIn(5);
        List<GroupInPartition> spots = new ArrayList<>(picks.spots());
        List<UUID> leaseIds = new ArrayList<>();
        UUID shared = leaseId(spots.getFirst().partitionId());
        int partitionsWanted = random.nextInt(1, 4);
        int batchWanted = picks.oneIn(3) ? 1 : random.nextInt(2, 8);
        boolean isShared = random.nextBoolean();
        if (isShared) {
            spots.removeIf(spot -> !spot.group().equals(spots.getFirst().group()));
        }
        List<Given> inShard = leases.stream()
                .filter(given -> picks.shardOf(given.spot) == picks.shardOf(spots.getFirst())).toList();
        if (picks.oneIn(6) && !inShard.isEmpty()) {
            // A lost call that is repeated.
            shared = picks.any(inShard).leaseId;
        }
        for (GroupInPartition spot : spots) {
            leaseIds.add(isShared ? shared : leaseId(spot.partitionId()));
        }
        int size = spots.size();
        Integer[] delays = picks.numbers(size, () -> picks.oneIn(4) ? 5 : 0);
        Integer[] windows = picks.numbers(size, () -> picks.oneIn(6) ? 3 : 0);
        Integer[] batches = picks.numbers(size, () -> batchWanted);
        Long[] byteLimits = new Long[size];
        Arrays.fill(byteLimits, picks.oneIn(2) ? null : Long.valueOf(random.nextLong(100, 1_500)));
        Boolean[] plains = new Boolean[size];
        Boolean[] soles = new Boolean[size];
        Boolean[] opens = new Boolean[size];
        OffsetDateTime[] fromAts = new OffsetDateTime[size];
        for (int i = 0; i < size; i++) {
            plains[i] = (!isShared || size == 1) && delays[i] == 0 && windows[i] == 0
                    && isMadeFor(leaseIds.get(i), spots.get(i).partitionId());
            soles[i] = partitionsWanted == 1 || batchWanted == 1;
            opens[i] = picks.oneIn(2);
            fromAts[i] = picks.oneIn(3) ? Moments.of(stage.now() - random.nextInt(100) * Moments.SECOND) : null;
        }
        List<Row> rows = stage.callByName("lease",
                Map.ofEntries(Map.entry("partition_ids", GroupInPartition.partitionIds(spots)),
                        Map.entry("group_names", GroupInPartition.groups(spots)),
                        Map.entry("lease_ids", leaseIds.toArray(UUID[]::new)), Map.entry("batches", batches),
                        Map.entry("lease_seconds", picks.numbers(size, () -> random.nextInt(1, 60))),
                        Map.entry("delay_seconds", delays), Map.entry("window_seconds", windows),
                        Map.entry("partition_limits", picks.numbers(size, () -> partitionsWanted)),
                        Map.entry("is_auto_ack", isAutoAck), Map.entry("plains", plains), Map.entry("soles", soles),
                        Map.entry("byte_limits", byteLimits), Map.entry("opens", opens),
                        Map.entry("from_ats", fromAts)));
        for (Row row : rows) {
            if (row.getString("status").equals("leased") && !isAutoAck) {
                int index = row.getInteger("index") - 1;
                leases.addFirst(
                        new Given(leaseIds.get(index), spots.get(index), row.getLong("first"), row.getLong("end")));
            }
        }
    }

    private UUID leaseId(UUID partitionId) {
        // The first byte of the lease id selects the shard of the partition.
        long high = picks.oneIn(6)
                ? random.nextLong() >>> 8 | partitionId.getMostSignificantBits() & 0xffL << 56
                : partitionId.getMostSignificantBits() & ~0xffffL;
        return new UUID(high | 0x8000 | random.nextInt(0x1000), random.nextLong() >>> 2 | 1L << 63);
    }

    private static boolean isMadeFor(UUID leaseId, UUID partitionId) {
        return (leaseId.getMostSignificantBits() ^ partitionId.getMostSignificantBits()) >>> 16 == 0;
    }

    void expire() {
        if (random.nextBoolean()) {
            stage.advanceTime(random);
        }
        List<GroupInPartition> spots = picks.spots();
        stage.call("expire", GroupInPartition.partitionIds(spots), GroupInPartition.groups(spots));
    }

    /** Returns some recent leases of one shard, each (partition, group) once. */
    private List<Given> held() {
        List<Given> some = heldAnywhere();
        return some.stream().filter(given -> picks.shardOf(given.spot) == picks.shardOf(some.getFirst().spot)).toList();
    }

    private List<Given> heldAnywhere() {
        List<Given> some = new ArrayList<>();
        for (Given given : leases) {
            if (some.size() < 3 && random.nextInt(3) < 2
                    && some.stream().noneMatch(each -> each.spot.equals(given.spot()))) {
                some.add(given);
            }
        }
        return some;
    }

    private static UUID[] leaseIds(List<Given> held) {
        return held.stream().map(Given::leaseId).toArray(UUID[]::new);
    }

    private static List<GroupInPartition> spotsOf(List<Given> held) {
        return held.stream().map(Given::spot).toList();
    }

    void release() {
        List<Given> held = held();
        stage.call("release", GroupInPartition.partitionIds(spotsOf(held)), GroupInPartition.groups(spotsOf(held)),
                leaseIds(held));
    }

    private String completed(Given given, long without) {
        if (picks.oneIn(3)) {
            return Ranges.of(given.first(), given.end()).minus(Ranges.of(without)).toString();
        }
        Ranges some = Ranges.NONE;
        for (long offset = given.first() - 1; offset <= given.end(); offset++) {
            boolean isInside = offset >= given.first() && offset < given.end();
            some = offset != without && (isInside ? random.nextBoolean() : picks.oneIn(12))
                    ? some.plus(Ranges.of(offset))
                    : some;
        }
        return some.toString();
    }

    void ack() {
        List<Given> held = picks.oneIn(10) ? List.of() : held();
        stage.call("ack", GroupInPartition.partitionIds(spotsOf(held)), GroupInPartition.groups(spotsOf(held)),
                leaseIds(held), held.stream().map(given -> completed(given, -1)).toArray(String[]::new));
    }

    /** Returns acks under some leases: the last eight arguments of nack. */
    private Tuple words(List<Given> held, boolean canFail) {
        List<Integer> holders = new ArrayList<>();
        List<Long> offsets = new ArrayList<>();
        List<String> completed = new ArrayList<>();
        for (int i = 0; i < held.size(); i++) {
            Given given = held.get(i);
            long failed = canFail && !picks.oneIn(4) ? random.nextLong(given.first(), given.end() + 1) : -1;
            completed.add(completed(given, failed));
            if (failed >= 0) {
                holders.add(i + 1);
                offsets.add(failed);
            }
        }
        String[] statuses = offsets.stream().map(_ -> picks.any(List.of("failed", "failed", "failed", "retry", "dlq")))
                .toArray(String[]::new);
        return Stage.tuple(GroupInPartition.partitionIds(spotsOf(held)), GroupInPartition.groups(spotsOf(held)),
                leaseIds(held), completed.toArray(String[]::new), holders.toArray(Integer[]::new),
                offsets.toArray(Long[]::new), statuses,
                offsets.stream().map(_ -> picks.oneIn(3) ? null : "it broke").toArray(String[]::new));
    }

    void nack() {
        stage.call("nack", words(held(), true));
    }

    void transact() {
        List<GroupInPartition> partitions = picks.oneIn(2) ? List.of() : picks.partitionsAnywhere();
        List<Given> held = heldAnywhere().stream().limit(random.nextInt(3)).toList();
        Tuple arguments = producers.segments(partitions);
        Tuple words = words(held, random.nextBoolean());
        for (int i = 0; i < words.size(); i++) {
            arguments.addValue(words.getValue(i));
        }
        UUID[] required = picks.oneIn(3)
                ? heldAnywhere().stream().map(Given::leaseId).distinct().toArray(UUID[]::new)
                : new UUID[0];
        UUID[] limited = producers.limitedQueues(partitions);
        stage.call("transact",
                arguments.addValue(required)
                        .addValue(Arrays.stream(limited).allMatch(Objects::isNull) ? new UUID[0] : limited)
                        .addLong(producers.epoch()));
    }

    void heldBy() {
        List<GroupInPartition> spots = picks.spots();
        stage.call("load_leases", GroupInPartition.partitionIds(spots), GroupInPartition.groups(spots),
                random.nextInt(10));
    }

    void renew() {
        UUID[] leaseIds = held().stream().map(Given::leaseId).distinct().toArray(UUID[]::new);
        stage.call("renew", leaseIds, picks.numbers(leaseIds.length, () -> random.nextInt(1, 90)));
    }

    void fetch() {
        List<GroupInPartition> spots = picks.spots();
        Long[] firsts = spots.stream().map(_ -> random.nextLong(20)).toArray(Long[]::new);
        Long[] ends = Arrays.stream(firsts).map(first -> first + random.nextLong(10)).toArray(Long[]::new);
        stage.call("fetch", GroupInPartition.partitionIds(spots), firsts, ends, random.nextLong(1, 2_000));
    }

    void resolve() {
        // Partitions with pushes at the same moment have no order, so all recent ones are requested.
        if (random.nextBoolean()) {
            stage.call("resolve", picks.queueId(picks.any(Picks.QUEUES)), picks.any(Picks.GROUPS), random.nextInt(30),
                    "", Picks.PARTITIONS.size());
        } else {
            stage.call("resolve", picks.queueId(picks.any(Picks.QUEUES)), picks.any(Picks.GROUPS), null,
                    picks.oneIn(3) ? picks.any(Picks.PARTITIONS) : "", random.nextInt(2, 5));
        }
    }

    void hasPending() {
        List<GroupInPartition> spots = picks.spots();
        stage.call("has_pending", picks.queueIds(spots),
                spots.stream().map(spot -> picks.oneIn(2) ? spot.partitionId() : null).toArray(UUID[]::new),
                GroupInPartition.groups(spots), picks.numbers(spots.size(), () -> random.nextInt(30)));
    }

    void evict() {
        List<GroupInPartition> spots = picks.spots();
        stage.call("evict", GroupInPartition.partitionIds(spots), GroupInPartition.groups(spots));
    }
}
