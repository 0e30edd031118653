package io.queenmq.engine.simulation.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.pgclient.PgException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Supplier;

/** Steps of another client, whose transactions stay open: at most one at a time. */
final class OtherClientSteps {
    private final Stage stage;
    private final Picks picks;
    private final SplittableRandom random;
    private final ProducerSteps producers;
    private OwnTransaction transaction;
    private Runnable unlock;

    OtherClientSteps(Stage stage, Picks picks, SplittableRandom random, ProducerSteps producers) {
        this.stage = stage;
        this.picks = picks;
        this.random = random;
        this.producers = producers;
    }

    /** Locks rows, or releases them. */
    void lock() {
        if (unlock != null) {
            unlock.run();
            return;
        }
        if (transaction != null) {
            return;
        }
        GroupInPartition spot = picks.spot();
        UUID queueId = picks.queueId(spot.queue());
        List<Runnable> unlocks = new ArrayList<>();
        stage.real().executeAsOtherClient("begin");
        switch (random.nextInt(5)) {
            case 0 -> lockForDeletion(queueId, unlocks);
            case 1 -> lockForUpkeep(spot, unlocks);
            case 2 -> lockPartition(spot, unlocks);
            default -> lockCursor(spot.partitionId(), spot.group(), unlocks);
        }
        unlock = () -> {
            stage.steps().add("unlock");
            stage.real().executeAsOtherClient("rollback");
            unlocks.forEach(Runnable::run);
            unlock = null;
        };
    }

    private void lockCursor(UUID partitionId, String group, List<Runnable> unlocks) {
        if (stage.store().database().cursors.find(partitionId, group) != null) {
            stage.steps().add("lock cursor " + partitionId + " " + group);
            stage.real().selectShardOfOtherClient(stage.shards().of(partitionId));
            stage.real().callAsOtherClient("select from cursor where partition_id = $1 and group_name = $2 for update",
                    Stage.tuple(partitionId, group));
            stage.store().locks().lockCursor(partitionId, group);
            unlocks.add(() -> stage.store().locks().unlockCursor(partitionId, group));
        }
    }

    private void lockPartition(GroupInPartition spot, List<Runnable> unlocks) {
        if (picks.partition(spot) != null) {
            stage.steps().add("lock partition " + spot);
            stage.real().selectShardOfOtherClient(picks.shardOf(spot));
            stage.real().callAsOtherClient("select from partition where id = $1 for no key update",
                    Stage.tuple(spot.partitionId()));
            stage.store().locks().lockPartition(spot.partitionId());
            unlocks.add(() -> stage.store().locks().unlockPartition(spot.partitionId()));
        }
    }

    private void lockForUpkeep(GroupInPartition spot, List<Runnable> unlocks) {
        if (picks.partition(spot) != null) {
            stage.steps().add("lock partition for upkeep " + spot);
            stage.real().selectShardOfOtherClient(picks.shardOf(spot));
            stage.real().callAsOtherClient("select " + stage.real().api() + ".lock_partitions($1)",
                    Stage.tuple((Object) new UUID[]{spot.partitionId()}));
            stage.store().locks().lockPartitionForUpkeep(spot.partitionId());
            unlocks.add(() -> stage.store().locks().unlockPartition(spot.partitionId()));
        }
    }

    /** Locks the queue like an uncommitted deletion. */
    private void lockForDeletion(UUID queueId, List<Runnable> unlocks) {
        stage.steps().add("lock queue " + queueId);
        stage.real().callAsOtherClient("select from queen.queue where id = $1 for update", Stage.tuple(queueId));
        for (int shard = 0; shard < stage.shards().count(); shard++) {
            stage.real().selectShardOfOtherClient(shard);
            stage.real().callAsOtherClient("select from partition where queue_id = $1 for update",
                    Stage.tuple(queueId));
        }
        stage.store().locks().lockQueue(queueId);
        unlocks.add(() -> stage.store().locks().unlockQueue(queueId));
        for (Partition partition : stage.store().database().partitions.of(queueId)) {
            stage.store().locks().lockPartition(partition.id());
            unlocks.add(() -> stage.store().locks().unlockPartition(partition.id()));
            stage.store().database().cursors.of(partition)
                    .forEach(cursor -> lockCursor(partition.id(), cursor.group(), unlocks));
        }
    }

    /** Pushes in a transaction of an application, or ends it. */
    void ownTransaction() {
        if (unlock != null) {
            return;
        }
        if (transaction != null && picks.oneIn(2)) {
            endTransaction(!picks.oneIn(3));
            return;
        }
        if (transaction == null) {
            stage.real().executeAsOtherClient("begin");
            transaction = stage.store().ownTransaction();
        }
        GroupInPartition spot = picks.spot();
        List<StoredMessage> stored = stage.store().content().messages().getOrDefault(spot.partitionId(), List.of());
        String transactionId = picks.oneIn(3) && !stored.isEmpty()
                ? stored.getLast().transactionId()
                : producers.transactionIds(1)[0];
        stage.steps().add("push within " + spot + transactionId);
        String expected = answerOf(() -> stage.real()
                .callAsOtherClient("select " + stage.real().api() + ".push_within($1, $2, $3, $4)",
                        Stage.tuple(spot.queue(), spot.partition(), "{}", transactionId))
                .iterator().next().getString(0));
        String actual = answerOf(() -> transaction.push(spot.queue(), spot.partition(), "{}", transactionId));
        assertThat(actual).as("push within").isEqualTo(expected);
        stage.met("push_within " + expected.split(" ")[0]);
        if (!expected.equals("queued") && !expected.equals("duplicate")) {
            // An error ends the transaction.
            endTransaction(false);
        }
    }

    private static String answerOf(Supplier<String> call) {
        try {
            return call.get();
        } catch (PgException e) {
            return e.getSqlState() + " " + e.getErrorMessage();
        }
    }

    private void endTransaction(boolean isCommitted) {
        stage.steps().add(isCommitted ? "commit" : "roll back");
        stage.met(stage.steps().getLast());
        stage.real().executeAsOtherClient(isCommitted ? "commit" : "rollback");
        if (isCommitted) {
            transaction.commit();
        } else {
            transaction.rollBack();
        }
        transaction = null;
    }

    void end() {
        if (unlock != null) {
            unlock.run();
        }
        if (transaction != null) {
            endTransaction(random.nextBoolean());
        }
    }
}
