package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** refresh_depths: sums over partitions follow their changes. */
class DepthsRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void partitionWithoutGroupsIsPendingAsAWhole() {
        var partition = database.newPartition();
        api.push(new Append(partition, 0, Batch.ofSize(3)));
        refresh();

        assertThat(queue(partition)).isEqualTo("2 partitions, 3 total, 3 pending, 0 processing");
    }

    @Test
    void theSlowestGroupCountsForTheQueueAndEachForItself() {
        var partition = database.newPartitionWith(10);
        api.openCursors(new Opening(partition.id(), "others", null));
        api.lease(true, LeaseRequest.of(partition, GROUP, 4));
        api.lease(true, LeaseRequest.of(partition, "others", 7));
        var held = LeaseRequest.of(partition, GROUP, 5);
        api.lease(held);
        api.ack(Holder.of(held, "{[5,6)}"));
        refresh();

        assertThat(queue(partition)).isEqualTo("2 partitions, 10 total, 1 pending, 4 processing");
        assertThat(groups(partition)).containsExactly("others: 1 partitions, 1 lagging, 3 pending, 7 finished",
                "workers: 1 partitions, 1 lagging, 5 pending, 5 finished");
    }

    @Test
    void drainingWithoutAPushIsCounted() {
        var partition = database.newPartitionWith(5);
        refresh();
        longAgo(partition);

        api.lease(true, LeaseRequest.of(partition, GROUP, 5));
        refresh();

        assertThat(queue(partition)).isEqualTo("2 partitions, 5 total, 0 pending, 0 processing");
        assertThat(oldest(partition)).isNull();
    }

    @Test
    void newGroupInAnOldPartitionIsCounted() {
        var partition = database.newPartitionWith(5);
        api.lease(true, LeaseRequest.of(partition, GROUP, 5));
        refresh();
        longAgo(partition);

        api.openCursors(new Opening(partition.id(), "newcomers", null));
        refresh();

        assertThat(queue(partition)).isEqualTo("2 partitions, 5 total, 5 pending, 0 processing");
        assertThat(groups(partition)).contains("newcomers: 1 partitions, 1 lagging, 5 pending, 0 finished");
    }

    @Test
    void changesByOperatorsAreCounted() {
        var partition = database.newPartitionWith(5);
        api.subscribe(GROUP, partition.queue(), "", "", "all", null);
        api.lease(true, LeaseRequest.of(partition, GROUP, 5));
        refresh();
        longAgo(partition);

        api.operate("{}", "seek_partition", "me", GROUP, partition.queue(), partition.name(), false, false, null, 3L);
        refresh();
        assertThat(queue(partition)).isEqualTo("2 partitions, 5 total, 2 pending, 0 processing");

        api.operate("{}", "seek_queue", "me", GROUP, partition.queue(), false, true, null);
        refresh();
        assertThat(queue(partition)).isEqualTo("2 partitions, 5 total, 5 pending, 0 processing");

        api.operate("{}", "delete_group", "me", GROUP, partition.queue(), true);
        refresh();
        assertThat(groups(partition)).isEmpty();
    }

    @Test
    void theOldestUnreadMessageOfAGroupIsKnown() {
        var partition = database.newPartitionWith(1);
        api.push(new Append(partition, 1, Batch.ofSize(1)));
        refresh();
        var first = oldest(partition);

        api.lease(true, LeaseRequest.of(partition, GROUP, 1));
        refresh();

        assertThat(first).isEqualTo(createdAt(partition, 0));
        assertThat(oldest(partition)).isEqualTo(createdAt(partition, 1));
    }

    @Test
    void aDeletedQueueHasNoCounts() {
        var partition = database.newPartitionWith(5);
        refresh();
        api.deleteQueue(partition.queue());
        for (int turns = 0; turns < 3; turns++) {
            refresh();
        }

        assertThat(count("queue_depth", "queue_id", partition)).isZero();
        assertThat(count("group_depth", "queue_id", partition)).isZero();
        assertThat(count("partition_depth", "queue_id", partition)).isZero();
    }

    @Test
    void recentRefreshIsNotRepeated() {
        refresh();

        assertThat(refresh(api, "skipped", false, 60_000L)).isEqualTo("true");
        assertThat(refresh(api, "success", true, 60_000L)).isEqualTo("true");
    }

    @Test
    void oneSessionCountsAtATime() {
        var other = database.newSession();
        other.execute("begin");
        refresh(other, "success", false, 0L);

        assertThat(refresh(api, "reason", false, 0L)).isEqualTo("another server is counting");
        other.execute("rollback");
    }

    /** After any history, the sums equal a full count. */
    @Test
    void sumsAreExactAfterAnyHistory() {
        var random = new Random(7);
        var partitions = database.newPartitions(12);
        var heads = new long[partitions.size()];
        var held = new ArrayList<LeaseRequest>();
        for (int step = 0; step < 300; step++) {
            int at = random.nextInt(partitions.size());
            var partition = partitions.get(at);
            var group = "g" + random.nextInt(3);
            switch (random.nextInt(7)) {
                case 0, 1 -> {
                    int count = 1 + random.nextInt(4);
                    api.push(new Append(partition, heads[at], Batch.ofSize(count)));
                    heads[at] += count;
                }
                case 2 -> api.openCursors(new Opening(partition.id(), group, null));
                case 3 -> api.lease(true, LeaseRequest.of(partition, group, 1 + random.nextInt(3)));
                case 4 -> {
                    var request = LeaseRequest.of(partition, group, 1 + random.nextInt(3));
                    if (api.lease(request).stream().anyMatch(LeaseResult::isLeased)) {
                        held.add(request);
                    }
                }
                case 5 -> {
                    if (!held.isEmpty()) {
                        long from = random.nextInt(8);
                        api.ack(Holder.of(held.remove(random.nextInt(held.size())),
                                "{[" + from + "," + (from + 2) + ")}"));
                    }
                }
                default -> refresh();
            }
        }
        refresh();

        assertThat(queue(partitions.getFirst())).isEqualTo(recount(api, partitions.getFirst()));
    }

    /** Returns the results of every shard. */
    private static String refresh(Api session, String field, boolean isForced, long minAgeMs) {
        var answers = session.everyShard(rows -> rows.getString(1),
                "select " + session.schema() + ".refresh_depths('me', ?, ?)::json ->> ?", isForced, minAgeMs, field);
        assertThat(answers).hasSameElementsAs(answers.subList(0, 1));
        return answers.getFirst();
    }

    private void refresh() {
        assertThat(refresh(api, "success", false, 0L)).isEqualTo("true");
    }

    /** No push to the partition and no new cursor in it since the last refresh. */
    private void longAgo(Partition partition) {
        api.everywhere(
                "update partition set active_at = active_at - interval '1 day' where id = '" + partition.id() + "'");
        api.everywhere("update cursor set created_at = created_at - interval '1 day' where partition_id = '"
                + partition.id() + "'");
    }

    private String queue(Partition partition) {
        return queue(api, partition);
    }

    /** Returns the present sums. */
    static String queue(Api api, Partition partition) {
        return Rows.strings(api.connection(), """
                select format('%s partitions, %s total, %s pending, %s processing', partitions, total, pending, processing)
                from queen.queue_depth where queue_id = ?""", partition.queueId()).getFirst();
    }

    /** Returns the sums of a full count. */
    static String recount(Api api, Partition partition) {
        return Rows.strings(api.connection(), """
                select format('%s partitions, %s total, %s pending, %s processing', count(*), sum(head - tail),
                              sum(coalesce(pending - processing, head - tail)), sum(coalesce(processing, 0)))
                from queen.partition p
                left join lateral (
                    select c.pending, c.processing
                    from (
                        select head - committed - coalesce((select sum(upper(r) - lower(r)) from unnest(acked) r), 0) as pending,
                               case when lease_id is null then 0 else lease_end - committed - coalesce((
                                   select sum(upper(r) - lower(r))
                                   from unnest(acked * int8multirange(int8range(committed, lease_end))) r), 0) end as processing
                        from queen.cursor where partition_id = p.id
                    ) c
                    order by c.pending desc, c.processing desc limit 1
                ) c on true
                where queue_id = ?""", partition.queueId()).getFirst();
    }

    private List<String> groups(Partition partition) {
        return Rows.strings(api.connection(), """
                select format('%s: %s partitions, %s lagging, %s pending, %s finished', group_name, partitions, lagging, pending, finished)
                from queen.group_depth where queue_id = ? order by 1""", partition.queueId());
    }

    private String oldest(Partition partition) {
        return Rows.strings(api.connection(), "select oldest_at from queen.group_depth where queue_id = ?",
                partition.queueId()).getFirst();
    }

    private String createdAt(Partition partition, long base) {
        return Rows.strings(api.connection(),
                "select date_bin('100 ms', created_at, 'epoch') from queen.segment where partition_id = ? and base = ?",
                partition.id(), base).getFirst();
    }

    private long count(String table, String column, Partition partition) {
        return Rows.number(api.connection(), "select count(*) from queen." + table + " where " + column + " = ?",
                partition.queueId());
    }
}
