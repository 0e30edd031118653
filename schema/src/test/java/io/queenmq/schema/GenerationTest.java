package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.Opening;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A partition and a cursor exist once and are found at their newest version in every generation. */
@Timeout(60)
class GenerationTest {
    private static final String GROUP = "workers";
    private static final int WRITES = 300;

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void partitionThatWasPushedToOftenIsNotAddedAgain() {
        var partition = pushedOften(database.newPartition());

        api.catchUp(1, 1, CatchUp.of(partition, -1));
        api.in(partition, "select %s.insert_partitions(array['%s'::uuid], array['%s'::uuid], array['%s'])"
                .formatted(api.schema(), partition.id(), partition.queueId(), partition.name()));

        assertThat(numbers("select head from queen.partition where id = '" + partition.id() + "'"))
                .containsExactly((long) WRITES);
        assertThat(numbers("select generation from queen.partition where id = '" + partition.id() + "'"))
                .containsExactly(1L);
    }

    @Test
    void messagesAreProcessedWithAPublicationOfAllTables() {
        api.execute("create publication everything for all tables");
        try {
            api.configure("published", Map.of());
            var partition = readOften(pushedOften(database.newPartition()));
            api.everywhere("delete from cursor where partition_id = '" + partition.id() + "'");
        } finally {
            api.execute("drop publication everything");
        }
    }

    @Test
    void partitionThatWasAddedSinceMyTransactionBeganIsNotAddedAgain() {
        var partition = database.newPartition();
        var late = database.partition(partition.queueId(), partition.queue(), "late");
        var before = database.newSession();
        before.execute("begin isolation level repeatable read");
        before.execute("select from queen.queue");
        api.catchUp(1, 1, CatchUp.of(late, -1));
        pushedOften(late);

        assertThatThrownBy(() -> before.catchUp(1, 1, CatchUp.of(late, -1)))
                .isInstanceOfSatisfying(Rows.SqlFailure.class, e -> assertThat(e.state()).isEqualTo("40001"));
    }

    @Test
    void cursorThatWasWrittenOftenIsNotOpenedAgain() {
        var partition = readOften(database.newPartitionWith(WRITES));

        api.openCursors(new Opening(partition.id(), GROUP, null));
        api.in(partition, "select %s.insert_cursors(array['%s'::uuid], array['%s'], array[0])".formatted(api.schema(),
                partition.id(), GROUP));

        assertThat(numbers("select committed from queen.cursor where partition_id = '" + partition.id() + "'"))
                .containsExactly((long) WRITES);
        assertThat(numbers("select generation from queen.cursor where partition_id = '" + partition.id() + "'"))
                .containsExactly(1L);
    }

    @Test
    void deletedPartitionAndCursorCanBeRecreated() {
        var partition = readOften(database.newPartitionWith(WRITES));
        api.in(partition, "select %s.remove_partitions(array['%s'::uuid])".formatted(api.schema(), partition.id()));

        assertThat(api.catchUp(1, 1, CatchUp.of(partition, -1)).getFirst().head()).isZero();
        api.openCursors(new Opening(partition.id(), GROUP, null));

        assertThat(numbers("select committed from queen.cursor where partition_id = '" + partition.id() + "'"))
                .containsExactly(0L);
    }

    @Test
    void pushDoesNotWaitForAKeyShareLockOnThePartition() {
        var partition = database.newPartition();
        var keeper = database.newSession();
        keeper.execute("begin");
        keeper.everywhere("select from partition where id = '" + partition.id() + "' for key share");
        api.execute("set lock_timeout = '5s'");

        pushedOften(partition);

        api.execute("reset lock_timeout");
        assertThat(numbers("select generation from queen.partition where id = '" + partition.id() + "'"))
                .containsExactly(1L);
    }

    @Test
    void cursorThatMovedOnWhileASeekWaitedForItIsPlacedWhereItIs() {
        var partition = database.newPartitionWith(10);
        var other = database.newSession();
        other.execute("begin");
        other.everywhere(
                "update cursor set writes = writes + 1000, generation = (writes + 1000) / 256, acked = '{[0,5)}' where partition_id = '"
                        + partition.id() + "'");

        var seek = Step.start(database.newSession(), session -> session.listIn(partition, rows -> rows.getLong(1),
                "select " + session.schema() + ".seek(array[?]::uuid[], ?, array[7]::bigint[])", partition.id(), GROUP))
                .untilItWaits(api);
        other.execute("commit");

        assertThat(seek.result()).containsExactly(1L);
        assertThat(numbers(
                "select committed from queen.cursor where acked is null and partition_id = '" + partition.id() + "'"))
                .containsExactly(7L);
    }

    @Test
    void partitionThatMovedOnWhileATransactionWaitedForItIsPushedToWhereItIs() {
        var partition = database.newPartitionWith(1);
        var push = "select queen.push('%s', '%s', '1')".formatted(partition.queue(), partition.name());
        var other = database.newSession();
        other.execute("begin");
        other.execute(push);
        other.everywhere("update partition set writes = writes + 1000, generation = (writes + 1000) / 256 where id = '"
                + partition.id() + "'");

        var waiting = Step.start(database.newSession(), session -> {
            session.execute(push);
            return true;
        }).untilItWaits(api);
        other.execute("commit");

        assertThat(waiting.result()).isTrue();
        assertThat(numbers("select head from queen.partition where id = '" + partition.id() + "'")).containsExactly(3L);
        assertThat(
                numbers("select base from queen.segment where partition_id = '" + partition.id() + "' order by base"))
                .containsExactly(0L, 1L, 2L);
    }

    private Partition pushedOften(Partition partition) {
        for (int i = 0; i < WRITES; i++) {
            api.push(new Append(partition, i, Batch.ofSize(1)));
        }
        return partition;
    }

    private Partition readOften(Partition partition) {
        for (int i = 0; i < WRITES; i++) {
            api.lease(true, LeaseRequest.of(partition, GROUP, 1));
        }
        return partition;
    }

    private List<Long> numbers(String sql) {
        return api.list(rows -> rows.getLong(1), sql);
    }
}
