package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Operations on a queue or a group are applied in all shards or in none, even after a crash. */
class OperatorsOverShardsTest {
    private static final String GROUP = FilledShards.GROUP;
    private static final int SHARDS = FilledShards.COUNT;

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.of(FilledShards.COUNT);

    private final Api api = database.api();
    private final FilledShards filled = new FilledShards(database);
    private final KilledSteps steps = new KilledSteps(database);
    private final List<Partition> partitions = filled.partitions();
    private final String queue = partitions.getFirst().queue();

    @Test
    void deleteAQueue() {
        filled.leased(partitions);
        steps.play(session -> assertThat(session.deleteQueue(queue)).isTrue());

        for (var table : List.of("partition", "partition_key", "partition_upkeep", "dead_letter", "queue_depth")) {
            assertThat(filled.strings("select count(*) from queen." + table + " where queue_id = ?",
                    partitions.getFirst().queueId())).as(table).containsExactly("0");
        }
        assertThat(partitions).allSatisfy(partition -> assertThat(filled.strings(
                "select (select count(*) from queen.segment where"
                        + " partition_id = x.id) + (select count(*) from queen.cursor where partition_id = x.id) + (select"
                        + " count(*) from queen.cursor_key where partition_id = x.id) from (select ?::uuid as id) x",
                partition.id())).containsExactly("0"));
        assertThat(filled.strings("select before ->> 'partitions' from queen.audit where target = ?", "queue " + queue))
                .last().isEqualTo(Long.toString(12 * SHARDS + 1));
    }

    @Test
    void deleteAGroup() {
        int killed = steps.play(
                session -> assertThat(session.operate("{deletedPartitions}", "delete_group", "me", GROUP, queue, true))
                        .isEqualTo("3"));

        assertThat(killed).isGreaterThanOrEqualTo(9);
        assertThat(filled.strings("select count(*) from queen.cursor c join queen.partition p on p.id = c.partition_id"
                + " where p.queue_id = ?", partitions.getFirst().queueId())).containsExactly("0");
    }

    @Test
    void seekAQueue() {
        filled.leased(partitions);
        steps.play(session -> assertThat(
                session.operate("{partitionsUpdated}", "seek_queue", "me", GROUP, queue, true, false, null))
                .isEqualTo("0"));

        assertThat(filled.standing(partitions)).containsExactly("3 3 0", "3 3 0", "3 3 0");
        assertThat(filled.strings(
                "select count(*) from queen.cursor where lease_id is not null and group_name = 'workers'"
                        + " and partition_id in (?, ?, ?)",
                partitions.get(0).id(), partitions.get(1).id(), partitions.get(2).id())).containsExactly("0");
    }

    @Test
    void clearAQueue() {
        steps.play(
                session -> assertThat(session.operate("{cleared}", "clear_queue", "me", queue, null)).isEqualTo("9"));

        assertThat(filled.standing(partitions)).containsExactly("3 3 0", "3 3 0", "3 3 0");
        assertThat(filled.strings("select count(*) from queen.message where queue = ?", queue)).containsExactly("0");
    }

    @Test
    void clearOnePartition() {
        assertThat(api.operate("{cleared}", "clear_queue", "me", queue, partitions.get(1).name())).isEqualTo("3");
        assertThat(api.operate("{cleared}", "clear_queue", "me", queue, "no such partition")).isNull();
        assertThat(filled.standing(partitions)).containsExactly("3 0 0", "3 3 0", "3 0 0");
    }

    @Test
    void changeOnePartition() {
        for (var partition : partitions) {
            assertThat(api.operate("{paused}", "pause_partition", "me", partition.id(), true)).isEqualTo("true");
            assertThat(api.lease(LeaseRequest.of(partition, GROUP, 1))).noneMatch(LeaseResult::isLeased);
            assertThat(api.operate("{cursorMovedTo}", "seek_partition", "me", GROUP, queue, partition.name(), false,
                    false, null, 1L)).isEqualTo("1");
            api.subscribe(GROUP, queue, "", "", "all", null);
            assertThat(api.operate("{cursorMovedTo}", "skip_message", "me", GROUP, queue, partition.name(), true))
                    .isEqualTo("2");
        }
        assertThat(filled.standing(partitions)).containsExactly("3 2 1", "3 2 1", "3 2 1");
        assertThat(api.operate("{total}", "list_dead_letters", queue, null, null, null, null, null, 10L, 0L))
                .isEqualTo("3");
    }

    @Test
    void purgeDeadLetters() {
        filled.leased(partitions)
                .forEach(request -> api.nack(List.of(Holder.of(request, "{}")), new Failed(1, 0, "dlq", "boom")));

        steps.play(session -> assertThat(
                session.operate("{purged}", "purge_dead_letters", "me", queue, null, null, null, null, null, null))
                .isEqualTo("3"));

        assertThat(filled.standing(partitions)).containsExactly("3 1 0", "3 1 0", "3 1 0");
    }

    @Test
    void modeNewFindsNoOldMessageInAnyShard() {
        steps.play(session -> session.subscribe("late", partitions.getFirst().queue(), "", "", "new", null));

        assertThat(filled.strings(
                "select count(*) || ' ' || sum(c.committed) from queen.cursor c join queen.partition p"
                        + " on p.id = c.partition_id where c.group_name = 'late' and p.queue_id = ?",
                partitions.getFirst().queueId())).containsExactly("3 9");
    }

    @Test
    void pushesInEveryShardAreWaitedFor() {
        for (var partition : partitions) {
            var pushing = database.newSession();
            pushing.execute("begin");
            pushing.push(new Append(partition, 3, Batch.ofSize(1)));

            assertThatThrownBy(
                    () -> api.list(rows -> rows.getBoolean(1), "select " + api.schema() + ".await_pushes(1)"))
                    .isInstanceOfSatisfying(Rows.SqlFailure.class, e -> assertThat(e.state()).isEqualTo("55P03"));
            pushing.execute("commit");
        }
    }
}
