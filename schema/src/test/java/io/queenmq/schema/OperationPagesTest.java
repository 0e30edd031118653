package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Operations on all partitions of a queue are recorded at once and processed in pages, with other operations in
 * between.
 */
class OperationPagesTest {
    private static final String GROUP = "workers";
    private static final int PARTITIONS = 20;
    private static final int PAGE = 3;

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.of(3);

    private final Api api = database.api();
    private final OperatorRoutines operators = new OperatorRoutines(api);
    private final List<Partition> partitions = database.newPartitions(PARTITIONS);
    private final String queue = partitions.getFirst().queue();

    @AfterEach
    void finishEverything() {
        while (continueNext(api)) {
            // Until nothing is left for the next test.
        }
        api.execute("update queen.system_state set encryption_epoch = 0");
    }

    @Test
    void aSeekToTheEndSkipsExactlyTheMessagesStoredBeforeIt() {
        api.subscribe(GROUP, queue, "", "", "all", null);
        partitions.forEach(partition -> push(partition, 0));
        partitions.forEach(partition -> api.openCursors(new Opening(partition.id(), GROUP, null)));

        String id = begin("seek_queue(null, '" + GROUP + "', '" + queue + "', true, false, null, false, " + PAGE + ")");
        partitions.forEach(partition -> push(partition, 1));
        var later = database.partition(partitions.getFirst().queueId(), queue, "partition-00000-later");
        api.catchUp(0, 0, Api.CatchUp.of(later, 0));
        push(later, 0);
        var document = finish(id);

        // A partition that is created behind the current page is processed, too.
        assertThat(document).containsPattern("\"partitionsUpdated\": (20|21)\\D").doesNotContain("inProgress");
        assertThat(partitions).allSatisfy(partition -> assertThat(committed(partition)).isEqualTo(1));
        api.openCursors(new Opening(later.id(), GROUP, null));
        assertThat(committed(later)).as("a partition that was created later").isZero();
    }

    @Test
    void aGroupThatReadOnMeanwhileIsNotMovedBack() {
        partitions.forEach(partition -> push(partition, 0));
        partitions.forEach(partition -> api.openCursors(new Opening(partition.id(), GROUP, null)));
        String id = begin("seek_queue(null, '" + GROUP + "', '" + queue + "', true, false, null, false, " + PAGE + ")");
        var last = unprocessed(GROUP);
        push(last, 1);
        var leaseRequest = LeaseRequest.of(last, GROUP, 2);
        api.lease(leaseRequest);
        api.ack(Holder.of(leaseRequest, "{[0,2)}"));

        finish(id);

        assertThat(committed(last)).isEqualTo(2);
    }

    @Test
    void aSeekToTheBeginningMovesEveryPartition() {
        partitions.forEach(partition -> push(partition, 0));
        partitions.forEach(partition -> api.openCursors(new Opening(partition.id(), GROUP, null)));
        operators.ask("seek_queue(null, '" + GROUP + "', '" + queue + "', true, false, null)");

        finish(begin("seek_queue(null, '" + GROUP + "', '" + queue + "', false, true, null, false, " + PAGE + ")"));

        assertThat(partitions).allSatisfy(partition -> assertThat(committed(partition)).isZero());
    }

    @Test
    void aLaterSeekReplacesAnEarlierOne() {
        partitions.forEach(partition -> push(partition, 0));
        partitions.forEach(partition -> api.openCursors(new Opening(partition.id(), GROUP, null)));
        String first = begin(
                "seek_queue(null, '" + GROUP + "', '" + queue + "', true, false, null, false, " + PAGE + ")");

        String second = begin(
                "seek_queue(null, '" + GROUP + "', '" + queue + "', false, true, null, false, " + PAGE + ")");
        finish(second);

        assertThat(status(first)).isEqualTo("superseded");
        assertThat(partitions).allSatisfy(partition -> assertThat(committed(partition)).isZero());
        assertThat(Rows.strings(api.connection(), "select mode from queen.subscription where queue_name = ?", queue))
                .containsExactly("all");
    }

    @Test
    void aGroupInModeNewReadsEveryPartitionFromTheMomentItSubscribed() {
        partitions.forEach(partition -> push(partition, 0));

        subscribe("newcomers", PAGE);
        partitions.forEach(partition -> push(partition, 1));
        var early = unprocessed("newcomers");
        api.openCursors(new Opening(early.id(), "newcomers", null));
        assertThat(committed(early, "newcomers")).as("before its page").isEqualTo(1);
        while (continueNext(api)) {
            // Until every partition has a cursor.
        }

        assertThat(partitions).allSatisfy(partition -> assertThat(committed(partition, "newcomers")).isEqualTo(1));
        assertThat(Rows.strings(api.connection(),
                "select coalesce(from_at::text, 'none') from queen.subscription where group_name = 'newcomers'"
                        + " and queue_name = ?",
                queue)).as("later partitions are read from their first message").containsExactly("none");
    }

    @Test
    void clearRemovesOnlyMessagesStoredBeforeTheRequest() {
        partitions.forEach(partition -> push(partition, 0));
        partitions.forEach(partition -> api.openCursors(new Opening(partition.id(), GROUP, null)));
        var leased = partitions.stream().map(partition -> LeaseRequest.of(partition, GROUP, 1)).toList();
        leased.forEach(leaseRequest -> api.lease(leaseRequest));

        String id = begin("clear_queue(null, '" + queue + "', null, " + PAGE + ")");
        partitions.forEach(partition -> push(partition, 1));
        var document = finish(id);

        assertThat(document).contains("\"cleared\": " + PARTITIONS);
        assertThat(partitions).allSatisfy(partition -> {
            assertThat(committed(partition)).isEqualTo(1);
            assertThat(CursorRow.of(api, partition, GROUP).isFree()).isTrue();
            assertThat(Rows.strings(api.connection(), "select base::text from queen.segment where partition_id = ?",
                    partition.id())).containsExactly("1");
            assertThat(
                    Rows.number(api.connection(),
                            "select sum(completed_count + skipped_count) from queen.cursor"
                                    + " where partition_id = ? and group_name = ?",
                            partition.id(), GROUP))
                    .isEqualTo(1);
        });
        assertThat(api.ack(Holder.of(leased.getFirst(), "{[0,1)}")).getFirst().isLive()).isFalse();
    }

    @Test
    void theNameOfADeletedQueueIsFreeAtOnceAndItsPartitionsAreRemovedLater() {
        partitions.forEach(partition -> push(partition, 0));
        partitions.forEach(partition -> api.openCursors(new Opening(partition.id(), GROUP, null)));
        var left = partitions.getLast();

        assertThat(delete(queue)).isTrue();

        assertThat(Rows.number(api.connection(), "select count(*) from queen.queue where name = ?", queue)).isZero();
        assertThat(Rows.number(api.connection(), "select count(*) from queen.partition where queue_id = ?",
                left.queueId())).isPositive();
        assertThat(Rows.number(api.connection(), "select encryption_epoch from queen.system_state"))
                .as("servers that have the queue in their catalog cannot push").isEqualTo(1);
        var again = api.createQueues(queue).getFirst();
        assertThat(again.id()).isNotEqualTo(left.queueId());

        while (continueNext(api)) {
            // Until all of it is removed.
        }
        for (var table : List.of("partition", "partition_key", "partition_upkeep")) {
            assertThat(Rows.number(api.connection(), "select count(*) from queen." + table + " where queue_id = ?",
                    left.queueId())).as(table).isZero();
        }
        assertThat(partitions).allSatisfy(partition -> assertThat(Rows.number(api.connection(),
                "select (select count(*) from queen.segment where partition_id = i.id)"
                        + " + (select count(*) from queen.cursor where partition_id = i.id)"
                        + " + (select count(*) from queen.cursor_key where partition_id = i.id)"
                        + " from (select ?::uuid as id) i",
                partition.id())).isZero());
        assertThat(Rows.number(api.connection(), "select count(*) from queen.queue where id = ?", again.id()))
                .isEqualTo(1);
    }

    @Test
    void aDeletedQueueEndsTheOtherOperationsOnIt() {
        partitions.forEach(partition -> push(partition, 0));
        String seek = begin(
                "seek_queue(null, '" + GROUP + "', '" + queue + "', true, false, null, false, " + PAGE + ")");
        String clear = begin("clear_queue(null, '" + queue + "', null, " + PAGE + ")");

        delete(queue);

        assertThat(status(seek)).isEqualTo("superseded");
        assertThat(status(clear)).isEqualTo("superseded");
    }

    @Test
    void deletionOfAGroupKeepsCursorsOpenedLater() {
        partitions.forEach(partition -> push(partition, 0));
        partitions.forEach(partition -> api.openCursors(new Opening(partition.id(), GROUP, null)));

        String id = begin("delete_group(null, '" + GROUP + "', null, true, " + PAGE + ")");
        finish(id);

        assertThat(
                Rows.number(api.connection(),
                        "select count(*) from queen.cursor c join queen.partition p"
                                + " on p.id = c.partition_id where p.queue_id = ?",
                        partitions.getFirst().queueId()))
                .isZero();
        assertThat(Rows.number(api.connection(), "select sum(changed) from queen.operation where request_id = ?",
                UUID.fromString(id))).isGreaterThanOrEqualTo(PARTITIONS);
    }

    @Test
    void aSeekWaitsForTheDeletionOfItsGroup() {
        partitions.forEach(partition -> push(partition, 0));
        partitions.forEach(partition -> api.openCursors(new Opening(partition.id(), GROUP, null)));
        begin("delete_group(null, '" + GROUP + "', '" + queue + "', true, " + PAGE + ")");

        String seek = begin("seek_queue(null, '" + GROUP + "', '" + queue + "', true, false, null)");
        while (continueNext(api)) {
            // In the order in which they were requested.
        }

        assertThat(status(seek)).isEqualTo("finished");
        assertThat(partitions).allSatisfy(partition -> assertThat(committed(partition)).isEqualTo(1));
    }

    @Test
    void aCrashAtAnyStepLeavesThePageToAnotherServer() {
        partitions.forEach(partition -> push(partition, 0));
        partitions.forEach(partition -> api.openCursors(new Opening(partition.id(), GROUP, null)));
        begin("seek_queue(null, '" + GROUP + "', '" + queue + "', true, false, null, false, " + PAGE + ")");
        begin("clear_queue(null, '" + queue + "', null, " + PAGE + ")");
        for (boolean isMore = true; isMore;) {
            var killed = new KilledSteps(database);
            var progressed = new boolean[1];
            killed.play(session -> progressed[0] = continueNext(session));
            isMore = progressed[0];
        }

        assertThat(partitions).allSatisfy(partition -> assertThat(committed(partition)).isEqualTo(1));
        assertThat(
                Rows.number(api.connection(),
                        "select count(*) from queen.segment s join queen.partition p"
                                + " on p.id = s.partition_id where p.queue_id = ?",
                        partitions.getFirst().queueId()))
                .isZero();
    }

    @Test
    void operatorsSeeTheProgress() {
        partitions.forEach(partition -> push(partition, 0));

        String id = begin("clear_queue('olga', '" + queue + "', null, " + PAGE + ")");

        assertThat(operators.each("show_queue('" + queue + "', 10, null)", "operations", "kind"))
                .containsExactly("clear");
        assertThat(operators.ask("list_operations(1)", "operations,0,partitionsDone")).isEqualTo("3");
        assertThat(operators.ask("list_operations(1)", "operations,0,actor")).isEqualTo("olga");
        finish(id);
        assertThat(operators.each("show_queue('" + queue + "', 10, null)", "operations", "kind")).isEmpty();
        assertThat(operators.ask("list_operations(1)", "operations,0,status")).isEqualTo("finished");
    }

    @Test
    void aPartitionWithVeryManyMessagesIsClearedInPages() {
        var partition = partitions.getFirst();
        push(partition, 0);
        api.in(partition, "insert into segment (partition_id, base, count, created_at, hashes, body) select '"
                + partition.id()
                + "', 1 + 1000 * i, 1000, now(), decode(repeat('00', 8000), 'hex'), '' from generate_series(0, 449) i");
        api.in(partition,
                "update partition set head = 450001, last_push_at = now() where id = '" + partition.id() + "'");
        api.openCursors(new Opening(partition.id(), GROUP, null));

        String id = begin("clear_queue(null, '" + queue + "', '" + partition.name() + "')");
        assertThat(committed(partition)).isEqualTo(200_000);
        finish(id);

        assertThat(committed(partition)).isEqualTo(450_001);
        assertThat(Rows.number(api.connection(), "select count(*) from queen.segment where partition_id = ?",
                partition.id())).isZero();
    }

    private void push(Partition partition, long head) {
        assertThat(api.push(new Append(partition, head, Batch.of("m" + head)))).hasSize(1);
    }

    private String begin(String call) {
        var document = operators.ask(call);
        assertThat(document).contains("\"inProgress\": true");
        return Rows.strings(api.connection(), "select ?::json ->> 'operationId'", document).getFirst();
    }

    /** Returns the last response. */
    private String finish(String request) {
        String document;
        do {
            document = operators.ask("continue_request('" + request + "', " + PAGE + ")");
        } while (document.contains("inProgress"));
        return document;
    }

    /** As upkeep does; returns whether there was something to do. */
    private boolean continueNext(Api session) {
        var next = session
                .list(rows -> rows.getObject(1, UUID.class), "select " + api.schema() + ".next_operation('{}')")
                .getFirst();
        if (next == null) {
            return false;
        }
        assertThat(session.list(rows -> rows.getBoolean(1), "select " + api.schema() + ".continue_operation(?, ?)",
                next, PAGE)).containsExactly(true);
        return true;
    }

    private boolean delete(String name) {
        return api.list(rows -> rows.getBoolean(1), "select " + api.schema() + ".delete_queue(null, ?, ?)", name, PAGE)
                .getFirst();
    }

    private void subscribe(String group, int most) {
        api.list(rows -> rows.getString(1),
                "select mode_in_force from " + api.schema() + ".subscribe(?, ?, '', '', 'new', null, ?)", group, queue,
                most);
    }

    /** A partition without a cursor of the group that was moved or created by a page. */
    private Partition unprocessed(String group) {
        return partitions.stream()
                .filter(partition -> Rows.number(api.connection(),
                        "select count(*) from queen.cursor"
                                + " where partition_id = ? and group_name = ? and committed > 0",
                        partition.id(), group) == 0)
                .findFirst().orElseThrow();
    }

    private String status(String request) {
        return Rows.strings(api.connection(), "select status from queen.operation where request_id = ?",
                UUID.fromString(request)).getFirst();
    }

    private long committed(Partition partition) {
        return committed(partition, GROUP);
    }

    private long committed(Partition partition, String group) {
        return CursorRow.of(api, partition, group).committed();
    }
}
