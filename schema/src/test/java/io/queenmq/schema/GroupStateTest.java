package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The reported state of groups: consumers, oldest unread message, and state. */
class GroupStateTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private static final String GROUP = "workers";

    private final Api api = database.api();
    private final OperatorRoutines operators = new OperatorRoutines(api);
    private final UUID server = UUID.randomUUID();

    @BeforeEach
    void aQueueWithoutConsumersHasNone() {
        api.execute("truncate queen.presence, queen.lag_bucket");
    }

    @ParameterizedTest
    @CsvSource({"false, 0, 0, Idle", "false, 0, 300, Idle", "false, 0, 301, Dead", "false, 1, 0, Stable",
        "false, 1, 300, Stable", "false, 2, 301, Lagging", "true, 0, 9000, Paused", "true, 3, 0, Paused"})
    void stateFollowsFromConsumersAndLag(boolean isPaused, int consumers, int oldestSeconds, String state) {
        assertThat(api.list(rows -> rows.getString(1), "select " + api.schema() + ".group_state(?, ?, ?)", isPaused,
                (long) consumers, (long) oldestSeconds)).containsExactly(state);
    }

    @Test
    void reportedConsumersAreAddedUp() {
        var queue = "orders";
        present(server, queue, 2, 1, 60_000);
        present(UUID.randomUUID(), queue, 1, 0, 0);
        present(UUID.randomUUID(), queue, 0, 0, 0);

        assertThat(consumers(queue)).as("the last one was popped from a moment ago")
                .containsExactly("3 wait, 1 leased, 5 consumers");
        present(server, queue, 0, 1, 60_000);
        assertThat(consumers(queue)).as("an earlier report is replaced")
                .containsExactly("1 wait, 1 leased, 3 consumers");
    }

    @Test
    void stoppedServerHasNoWaitingPopsButItsLeasesLast() {
        var queue = "invoices";
        present(server, queue, 2, 1, 60_000);
        var other = UUID.randomUUID();
        present(other, queue, 3, 0, 0);

        api.execute("update queen.presence set seen_at = seen_at - interval '11 seconds'");
        assertThat(consumers(queue)).containsExactly("0 wait, 1 leased, 1 consumers");
        api.execute("update queen.presence set leased_until[1] = now()");
        assertThat(consumers(queue)).isEmpty();
    }

    @Test
    void reportReturnsEndedLeases() {
        var held = database.newPartitionWith(1);
        var finished = database.newPartitionWith(1);
        var first = LeaseRequest.of(held, GROUP, 1);
        var second = LeaseRequest.of(finished, GROUP, 1);
        api.lease(first);
        api.lease(second);
        api.ack(Api.Holder.of(second, "{[0,1)}"));

        assertThat(api.list(rows -> rows.getInt(1),
                "select * from " + api.schema()
                        + ".report_presence(?, '{}', '{}', '{}', '{}', '{}', ?::uuid[], ?::uuid[], ?::text[])",
                server, "{" + first.lease() + "," + second.lease() + "}", "{" + held.id() + "," + finished.id() + "}",
                "{" + GROUP + "," + GROUP + "}")).containsExactly(2);
    }

    @Test
    void aGroupIsPausedWithItsQueueAndInMaintenance() {
        var partition = database.newPartitionWith(1);
        api.subscribe(GROUP, partition.queue(), "", "", "all", null);

        api.operate("{paused}", "pause_queue", "me", partition.queue(), true);
        assertThat(state(partition)).isEqualTo("Paused");
        api.operate("{paused}", "pause_queue", "me", partition.queue(), false);
        assertThat(state(partition)).isEqualTo("Idle");
        api.execute("update queen.system_state set pop_maintenance = true");
        assertThat(state(partition)).isEqualTo("Paused");
        api.execute("update queen.system_state set pop_maintenance = false");
    }

    @Test
    void theLagOfEachMinuteIsRecordedUnlessTheGroupIsPaused() {
        var late = lagging(700);
        var later = lagging(900);
        var paused = lagging(9000);
        api.operate("{paused}", "pause_group", "me", GROUP, paused.queue(), true);

        NumbersReport.of(server, 1, 1).send(api);
        NumbersReport.of(server, 2, 1).send(api);

        assertThat(oldest(null)).contains("900").doesNotContain("9000");
        assertThat(oldest(late.queue())).contains("700").doesNotContain("900");
        assertThat(oldest(later.queue())).contains("900");
        assertThat(oldest(paused.queue())).containsOnly("0");
        assertThat(Rows.number(api.connection(), "select count(*) from queen.lag_bucket where queue_id = ?",
                late.queueId())).as("a minute and an hour").isBetween(2L, 4L);
        assertThat(operators.ask("overview()", "oldestUnreadSeconds")).isEqualTo("900");
        assertThat(operators.ask("overview()", "lag,time,max")).isEqualTo("900");
        assertThat(operators.ask("overview()", "deliveryAge,max")).isEqualTo("0");
    }

    @Test
    void theDepthOfEachMinuteIsRememberedAlsoOfQueuesWithoutGroups() {
        var one = deep(3, 0);
        var other = deep(30, 10);

        NumbersReport.of(server, 1, 1).send(api);
        assertThat(depths(one.queue())).contains("3");
        assertThat(depths(other.queue())).contains("40");
        assertThat(depths(null).stream().mapToLong(Long::parseLong).max().orElse(0)).isGreaterThanOrEqualTo(43);

        // The maximum of a bucket is kept. Rows of an earlier release have no depth.
        api.execute("update queen.lag_bucket set depth = 100 where queue_id = '" + other.queueId() + "'");
        api.execute("update queen.lag_bucket set depth = null where queue_id = '" + one.queueId() + "'");
        NumbersReport.of(server, 2, 1).send(api);

        assertThat(depths(other.queue())).contains("100");
        assertThat(depths(one.queue())).contains("3");
    }

    private Partition deep(int pending, int processing) {
        var partition = database.newPartitionWith(1);
        api.in(partition, "insert into queue_depth (queue_id, pending, processing) values ('" + partition.queueId()
                + "', " + pending + ", " + processing + ")");
        return partition;
    }

    private List<String> depths(String queue) {
        var of = queue == null ? "null" : "'" + queue + "'";
        return operators.each("status(" + of + ", null, null, null, null)", "throughput", "depth");
    }

    @Test
    void aMessageThatIsNotDueHasNoAge() {
        var partition = database.newPartitionWith(1);
        api.lease(LeaseRequest.of(partition, GROUP, 1));
        api.everywhere("update segment set created_at = created_at - interval '500 s' where partition_id = '"
                + partition.id() + "'");

        assertThat(timeLag(partition)).isBetween(500L, 520L);
        api.execute("update queen.queue set delayed_processing_s = 200 where id = '" + partition.queueId() + "'");
        assertThat(timeLag(partition)).isBetween(300L, 320L);
        api.execute("update queen.queue set delayed_processing_s = 3600 where id = '" + partition.queueId() + "'");
        assertThat(timeLag(partition)).isZero();
        api.execute("update queen.queue set delayed_processing_s = 0, window_buffer_s = 3600 where id = '"
                + partition.queueId() + "'");
        assertThat(timeLag(partition)).isZero();
    }

    @Test
    void aPartitionNamesASubscribedGroupThatHasNotOpenedIt() {
        var partition = database.newPartitionWith(3);
        api.subscribe("away", partition.queue(), "", "", "all", null);
        api.subscribe("future", partition.queue(), "", "", "all", null);
        api.execute("update queen.subscription set is_preset = true where group_name = 'future'");

        var call = "list_partitions('" + partition.queue() + "', '" + partition.name() + "', null, 'name', 10, null)";
        assertThat(operators.each(call, "partitions", "consumerGroup")).containsExactly("away");
        assertThat(operators.each(call, "partitions", "offsetLag")).containsExactly("3");
        assertThat(operators.each("show_partition('" + partition.id() + "')", "groups", "consumerGroup"))
                .containsExactly("away", GROUP);
        assertThat(operators.each("show_group('away', null, 10, null)", partition.queue() + ",partitions", "offsetLag"))
                .as("the partition Default has nothing").containsExactly("0", "3");
    }

    /** A queue whose group has had an unread message for this time. */
    private Partition lagging(int seconds) {
        var partition = database.newPartitionWith(1);
        api.in(partition,
                "insert into queue_depth (queue_id) values ('" + partition.queueId() + "') on conflict do nothing");
        api.in(partition,
                "insert into group_depth (queue_id, group_name, partitions, lagging, pending, oldest_at) values ('"
                        + partition.queueId() + "', '" + GROUP + "', 1, 1, 1, clock_timestamp() - interval '" + seconds
                        + ".2 seconds')");
        return partition;
    }

    private void present(UUID server, String queue, int waiting, int leases, long leaseMs) {
        api.list(rows -> rows.getInt(1), "select * from " + api.schema()
                + ".report_presence(?, array[?], array[?], array[?], array[?], array[?::bigint], '{}', '{}', '{}')",
                server, queue, GROUP, waiting, leases, leaseMs);
    }

    private List<String> consumers(String queue) {
        return api.list(rows -> rows.getString(1),
                "select format('%s wait, %s leased, %s consumers', waiting, leases, consumers) from " + api.schema()
                        + ".current_consumers() where queue_name = ?",
                queue);
    }

    private String state(Partition partition) {
        return api
                .list(rows -> rows.getString(1),
                        "select e ->> 'state' from json_array_elements((select " + api.schema()
                                + ".list_groups(1000, 0))::json) e where e ->> 'queueName' = ?",
                        partition.queue())
                .getFirst();
    }

    private List<String> oldest(String queue) {
        var of = queue == null ? "null" : "'" + queue + "'";
        return operators.each("status(" + of + ", null, null, null, null)", "throughput", "oldestUnreadSeconds");
    }

    private long timeLag(Partition partition) {
        return Long.parseLong(
                operators.each("show_partition('" + partition.id() + "')", "groups", "timeLagSeconds").getFirst());
    }
}
