package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Appended;
import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.CaughtUp;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Empty and unused partitions are deleted, and may be created again. */
class IdlePartitionTest {
    private static final String GROUP = "workers";
    private static final int MONTH = 31 * 86_400;

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Upkeep upkeep = new Upkeep(api);
    private final Partition partition = database.newPartitionWith(5,
            Map.of("retention_enabled", true, "retention_s", 100));

    @Test
    void anEmptyPartitionIsDeletedWithItsCursors() {
        emptyFor(MONTH);

        assertThat(isDeleted()).isTrue();

        assertThat(api.operate("{series,0,partitionsDeleted}", "queue_ops", partition.queue(), null, null))
                .isEqualTo("1");
        for (var table : List.of("partition where id", "cursor where partition_id",
                "partition_upkeep where partition_id")) {
            assertThat(Rows.number(api.connection(), "select count(*) from queen." + table + " = ?", partition.id()))
                    .as(table).isZero();
        }
    }

    @Test
    void stateOfStreamQueriesIsDeletedWithItsPartition() {
        api.in(partition,
                """
                insert into queen.stream_query (name, source_queue, config_hash) values ('%1$s', '%1$s', 'h');
                insert into stream_partition (query_id, partition_id, partition_name, state_rows) select id, '%2$s', 'a', 1 from queen.stream_query where name = '%1$s';
                insert into stream_state select state_id, '%2$s', 'k', '1', false, null, now() from queen.stream_query where name = '%1$s'"""
                        .formatted(partition.queue(), partition.id()));
        emptyFor(MONTH);

        assertThat(isDeleted()).isTrue();

        for (var table : List.of("stream_partition", "stream_state")) {
            assertThat(Rows.number(api.connection(), "select count(*) from queen." + table + " where partition_id = ?",
                    partition.id())).as(table).isZero();
        }
    }

    @Test
    void aPartitionThatIsNotIdleLongEnoughStays() {
        emptyFor(MONTH - 2 * 86_400);

        assertThat(isDeleted()).isFalse();
        assertThat(heads()).containsExactly(5L);
    }

    @Test
    void aPartitionThatIsUsedAgainStays() {
        emptyFor(MONTH);
        api.push(new Append(partition, 5, Batch.ofSize(1)));

        assertThat(isDeleted()).isFalse();
        assertThat(upkeep.dueIn(partition, "idle")).isNull();
        upkeep.retain();
        upkeep.age(partition, MONTH);
        upkeep.retain();
        assertThat(isDeleted()).isTrue();
    }

    @Test
    void aPartitionWithMessagesStays() {
        upkeep.age(partition, MONTH);

        assertThat(isDeleted()).isFalse();
    }

    @Test
    void aPartitionWithDeadLettersStays() {
        var request = LeaseRequest.of(partition, GROUP, 1);
        api.lease(request);
        api.nack(List.of(Holder.of(request, "{}")), new Failed(1, 0, "dlq", null));
        emptyFor(MONTH);

        assertThat(isDeleted()).isFalse();
        assertThat(heads()).containsExactly(5L);
    }

    /** A client with old offsets of the partition cannot confuse them with new messages. */
    @Test
    void aRecreatedPartitionContinuesAtItsLastOffset() {
        emptyFor(MONTH);
        upkeep.deleteIdlePartitions(30, 100);
        assertThat(api.push(new Append(partition, 5, Batch.of("x")))).as("the partition is gone").isEmpty();

        assertThat(api.catchUp(100, 3600, CatchUp.of(partition, 5)).getFirst()).returns(5L, CaughtUp::head)
                .returns(5L, CaughtUp::known).returns(true, CaughtUp::isNew);

        assertThat(api.push(new Append(partition, 5, Batch.of("x")))).extracting(Appended::base).containsExactly(5L);
        assertThat(api.catchUp(100, 3600, CatchUp.of(partition, 5)).getFirst().isNew()).isFalse();
        api.openCursors(new Opening(partition.id(), GROUP, null));
        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 9)).getFirst()).returns(5L, LeaseResult::first)
                .returns(6L, LeaseResult::end);
    }

    @Test
    void aNewPartitionOfTheQueueBeginsAtTheHighestDeletedHead() {
        emptyFor(MONTH);
        upkeep.deleteIdlePartitions(30, 100);
        var other = database.partition(partition.queueId(), partition.queue(), "another");

        assertThat(api.catchUp(100, 3600, CatchUp.of(other, -1)).getFirst().head()).isEqualTo(5);
    }

    @Test
    void aClearedPartitionIsDeletedWithoutRetention() {
        var cleared = database.newPartitionWith(2);
        api.operate("{success}", "clear_queue", "me", cleared.queue(), null);
        var picked = database.newPartitionWith(1);
        api.in(picked, "select " + api.schema() + ".remove_offset('" + picked.id() + "', 0)");
        assertThat(upkeep.kept(picked)).isNotEmpty();

        for (var each : List.of(cleared, picked)) {
            upkeep.age(each, MONTH);
            upkeep.deleteIdlePartitions(30, 100);

            assertThat(Rows.number(api.connection(), "select count(*) from queen.partition where id = ?", each.id()))
                    .isZero();
            assertThat(upkeep.kept(each)).isEmpty();
        }
    }

    @Test
    void aPushInProgressKeepsThePartition() {
        emptyFor(MONTH);
        var session = database.newSession();
        session.execute("begin");
        session.push(new Append(partition, 5, Batch.of("x")));

        assertThat(isDeleted()).isFalse();
        session.execute("commit");
        assertThat(isDeleted()).isFalse();
        assertThat(heads()).containsExactly(6L);
    }

    @Test
    void noCursorIsOpenedInAPartitionThatIsBeingDeleted() {
        emptyFor(MONTH);
        var session = database.newSession();
        session.execute("begin");
        assertThat(new Upkeep(session).deleteIdlePartitions(30, 100)).isPositive();

        assertThat(api.openCursors(new Opening(partition.id(), "late", null))).as("the partition exists")
                .containsExactly(1);
        session.execute("commit");
        assertThat(api.openCursors(new Opening(partition.id(), "late", null))).isEmpty();

        assertThat(Rows.number(api.connection(), "select count(*) from queen.cursor where partition_id = ?",
                partition.id())).isZero();
    }

    private void emptyFor(int seconds) {
        upkeep.age(partition, seconds);
        upkeep.retain();
        assertThat(upkeep.kept(partition)).isEmpty();
        assertThat(upkeep.dueIn(partition, "idle")).isNotNull();
    }

    private boolean isDeleted() {
        upkeep.deleteIdlePartitions(30, 100);
        return heads().isEmpty();
    }

    private List<Long> heads() {
        return api.list(rows -> rows.getLong(1), "select head from queen.partition where id = ?", partition.id());
    }
}
