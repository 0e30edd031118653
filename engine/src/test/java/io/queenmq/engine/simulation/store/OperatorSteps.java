package io.queenmq.engine.simulation.store;

import io.queenmq.engine.catalog.CatalogStatements;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.SplittableRandom;

/** Steps of operators and of upkeep, and the queries of the catalog that show them to servers. */
final class OperatorSteps {
    private final Stage stage;
    private final Picks picks;
    private final SplittableRandom random;

    OperatorSteps(Stage stage, Picks picks, SplittableRandom random) {
        this.stage = stage;
        this.picks = picks;
        this.random = random;
    }

    void readCatalog() {
        stage.compare("state", CatalogStatements.STATE);
        stage.compare("queues", CatalogStatements.ALL);
        stage.compare("revised", CatalogStatements.REVISED_PARTITIONS,
                random.nextLong(stage.store().database().catalog.version() + 1));
    }

    void operate() {
        GroupInPartition spot = picks.spot();
        boolean isOn = picks.oneIn(3);
        Operators operators = stage.store().operators();
        String routine = "select " + stage.real().api() + ".";
        switch (random.nextInt(picks.oneIn(6) ? 9 : 8)) {
            case 0 -> seek(spot, true);
            case 1 -> seek(spot, false);
            case 2 -> stage.both("pause " + spot + isOn, routine + "pause_queue($1, $2, $3)",
                    Stage.tuple("me", spot.queue(), isOn), () -> operators.pauseQueue(spot.queue(), isOn));
            case 3 -> stage.both("pause group " + spot + isOn, routine + "pause_group($1, $2, $3, $4)",
                    Stage.tuple("me", spot.group(), spot.queue(), isOn),
                    () -> operators.pauseGroup(spot.group(), spot.queue(), isOn));
            case 4 -> stage.both("pause partition " + spot + isOn, routine + "pause_partition($1, $2, $3)",
                    Stage.tuple("me", spot.partitionId(), isOn),
                    () -> operators.pausePartition(spot.partitionId(), isOn));
            case 5 -> stage.both("clear " + spot, routine + "clear_queue($1, $2, $3)",
                    Stage.tuple("me", spot.queue(), spot.partition()),
                    () -> operators.clearPartition(spot.queue(), spot.partition()));
            case 6 -> {
                List<StoredMessage> stored = stage.store().content().messages().getOrDefault(spot.partitionId(),
                        List.of());
                String transactionId = stored.isEmpty() ? "none" : picks.any(stored).transactionId();
                stage.both("remove " + spot + transactionId, routine + "remove_message($1, $2, $3)",
                        Stage.tuple("me", spot.partitionId(), transactionId),
                        () -> operators.removeMessage(spot.partitionId(), transactionId));
            }
            case 7 -> stage.both("pop maintenance " + isOn, routine + "set_maintenance($1, 'pop', $2)",
                    Stage.tuple("me", isOn), () -> operators.setPopMaintenance(isOn));
            default -> stage.call("delete_queue", "me", spot.queue(), Stage.PARTITIONS_MAX);
        }
    }

    private void seek(GroupInPartition spot, boolean isOfQueue) {
        Partition partition = picks.partition(spot);
        SeekPlace place = switch (random.nextInt(isOfQueue ? 3 : 4)) {
            case 0 -> new SeekPlace.Beginning();
            case 1 -> new SeekPlace.End();
            case 2 -> new SeekPlace.After(stage.now() - random.nextInt(100) * Moments.SECOND);
            default ->
                new SeekPlace.Offset(partition == null ? 0 : random.nextLong(partition.tail(), partition.head() + 3));
        };
        Tuple arguments = isOfQueue
                ? Stage.tuple("me", spot.group(), spot.queue())
                : Stage.tuple("me", spot.group(), spot.queue(), spot.partition());
        arguments.addValue(place instanceof SeekPlace.End).addValue(place instanceof SeekPlace.Beginning)
                .addValue(place instanceof SeekPlace.After(long moment) ? Moments.of(moment) : null);
        String routine = "select " + stage.real().api();
        if (isOfQueue) {
            stage.both("seek " + spot + place, routine + ".seek_queue($1, $2, $3, $4, $5, $6)", arguments,
                    () -> stage.store().operators().seekQueue(spot.group(), spot.queue(), place));
        } else {
            arguments.addValue(place instanceof SeekPlace.Offset(long offset) ? offset : null);
            stage.both("seek partition " + spot + place, routine + ".seek_partition($1, $2, $3, $4, $5, $6, $7, $8)",
                    arguments,
                    () -> stage.store().operators().seekPartition(spot.group(), spot.queue(), spot.partition(), place));
        }
    }

    void keepUp() {
        boolean isRetention = random.nextBoolean();
        List<Partition> partitions = stage.store().database().partitions.all().stream()
                .filter(partition -> isRetention || partition.head() == partition.tail()).toList();
        if (!partitions.isEmpty()) {
            keepUp(picks.any(partitions), isRetention);
        }
    }

    private void keepUp(Partition partition, boolean isRetention) {
        int shard = stage.shards().of(partition.id());
        stage.real().call(shard, """
                insert into partition_upkeep (partition_id, kind, queue_id, due_at) values ($1, $2, $3, $4)
                on conflict (partition_id, kind) do update set due_at = excluded.due_at""", Stage.tuple(partition.id(),
                isRetention ? "retention" : "idle", partition.queue().id(), Moments.of(0L)));
        stage.real().call(shard, "delete from partition_upkeep where due_at > $1", Stage.tuple(Moments.of(0L)));
        if (isRetention) {
            stage.both("retention " + partition, shard,
                    "select * from " + stage.real().api() + ".apply_retention(1, 1000)", Stage.tuple(),
                    () -> stage.store().upkeep().applyRetention(partition.id()));
        } else {
            stage.both("idle " + partition, shard,
                    "select * from " + stage.real().api() + ".delete_idle_partitions(0, 1)", Stage.tuple(), () -> {
                        if (stage.store().upkeep().deleteIdle(partition.id(), 0)) {
                            stage.met("partition deleted");
                        }
                    });
        }
    }
}
