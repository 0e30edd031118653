package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.CaughtUp;
import java.util.ArrayList;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CatchUpRoutineTest {
    private static final int MANY = 100_000;
    private static final int HOUR = 3600;

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void emptyCallReturnsNoRow() {
        assertThat(api.catchUp(MANY, HOUR)).isEmpty();
    }

    @Test
    void newPartitionIsCreatedAndEmpty() {
        var queue = api.createQueues("catch-up-new").getFirst();
        var partition = database.partition(queue.id(), queue.name(), "customer-42");

        var caughtUp = api.catchUp(MANY, HOUR, CatchUp.of(partition, -1)).getFirst();

        assertThat(caughtUp).returns(0L, CaughtUp::head).returns(0L, CaughtUp::known).returns(true, CaughtUp::isNew);
        assertThat(caughtUp.counts()).isEmpty();
        assertThat(api.list(rows -> rows.getString(1), "select name from queen.partition where id = ?", partition.id()))
                .containsExactly("customer-42");
    }

    @Test
    void partitionOfAMissingQueueIsNotCreated() {
        var partition = new CatchUp(UUID.randomUUID(), UUID.randomUUID(), "partition", -1);

        assertThat(api.catchUp(MANY, HOUR, partition)).isEmpty();
    }

    @Test
    void aDeletionOfAQueueDoesNotBlockOtherQueues() throws Exception {
        var going = api.createQueues("catch-up-going").getFirst();
        var staying = api.createQueues("catch-up-staying").getFirst();
        var deleting = database.newSession();
        deleting.connection().setAutoCommit(false);
        deleting.execute("select from queen.queue where name = 'catch-up-going' for update");
        api.execute("set lock_timeout = '10s'");

        var caughtUp = api.catchUp(MANY, HOUR, CatchUp.of(database.partition(going.id(), going.name(), "a"), -1),
                CatchUp.of(database.partition(staying.id(), staying.name(), "a"), -1));
        var names = api.createQueues("catch-up-going").getFirst().name();

        assertThat(caughtUp).extracting(CaughtUp::head).containsExactly(null, 0L);
        assertThat(names).isEqualTo("catch-up-going");
        deleting.connection().rollback();
        assertThat(api.catchUp(MANY, HOUR, CatchUp.of(database.partition(going.id(), going.name(), "a"), -1)))
                .extracting(CaughtUp::head).containsExactly(0L);
    }

    @Test
    void callReturnsAllUnknownHashes() {
        var partition = database.newPartition();
        var first = Batch.of("a", "b");
        var second = Batch.of("c");
        api.push(new Append(partition, 0, first));
        api.push(new Append(partition, 2, second));

        var all = api.catchUp(MANY, HOUR, CatchUp.of(partition, -1)).getFirst();
        var rest = api.catchUp(MANY, HOUR, CatchUp.of(partition, 2)).getFirst();
        var nothing = api.catchUp(MANY, HOUR, CatchUp.of(partition, 3)).getFirst();

        assertThat(all).returns(3L, CaughtUp::head).returns(0L, CaughtUp::known);
        assertThat(all.counts()).containsExactly(2, 1);
        assertThat(all.hashes()).isEqualTo(Batch.of("a", "b", "c").hashes());
        assertThat(rest.known()).isEqualTo(2);
        assertThat(rest.hashes()).isEqualTo(second.hashes());
        assertThat(nothing.known()).isEqualTo(3);
        assertThat(nothing.hashes()).isNull();
    }

    @Test
    void windowCoversAtLeastSoManyMessages() {
        var partition = database.newPartition();
        api.push(new Append(partition, 0, Batch.ofSize(10)));
        api.push(new Append(partition, 10, Batch.ofSize(10)));
        api.push(new Append(partition, 20, Batch.ofSize(10)));

        assertThat(api.catchUp(15, HOUR, CatchUp.of(partition, -1)).getFirst().known()).isEqualTo(10);
        assertThat(api.catchUp(20, HOUR, CatchUp.of(partition, -1)).getFirst().known()).isEqualTo(10);
        assertThat(api.catchUp(21, HOUR, CatchUp.of(partition, -1)).getFirst().known()).isZero();
    }

    @Test
    void messagesOlderThanTheWindowAreLeftOut() {
        var partition = database.newPartition();
        api.push(new Append(partition, 0, Batch.of("old")));
        api.push(new Append(partition, 1, Batch.of("new")));
        api.everywhere("update segment set created_at = created_at - interval '2 h' where base = 0 and partition_id = '"
                + partition.id() + "'");

        var caughtUp = api.catchUp(MANY, HOUR, CatchUp.of(partition, -1)).getFirst();

        assertThat(caughtUp.known()).isEqualTo(1);
        assertThat(caughtUp.hashes()).isEqualTo(Batch.of("new").hashes());
    }

    @Test
    void partitionsCreatedByTwentySessionsAtOnceExistOnce() throws Exception {
        var queue = api.createQueues("catch-up-twenty").getFirst();
        var partitions = new ArrayList<CatchUp>();
        for (int i = 0; i < 20; i++) {
            partitions.add(CatchUp.of(database.partition(queue.id(), queue.name(), "partition-" + i), -1));
        }

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var futures = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 20; i++) {
                var mine = new ArrayList<>(partitions);
                java.util.Collections.rotate(mine, i);
                var session = database.newSession();
                futures.add(threads.submit(() -> session.catchUp(MANY, HOUR, mine.toArray(CatchUp[]::new)).size()));
            }
            for (var future : futures) {
                assertThat(future.get()).isEqualTo(20);
            }
        }

        assertThat(Rows.number(api.connection(), "select count(*) from queen.partition where queue_id = ?", queue.id()))
                .isEqualTo(20);
    }
}
