package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Bounded;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A queue with a max_size accepts exactly as many messages as fit. */
class MaxSizeTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final List<Partition> partitions = database.newPartitionsTogether(3,
            Map.of("max_size", 10, "retry_delay_ms", 0));
    private final Partition partition = partitions.getFirst();

    @Test
    void messagesThatDoNotFitAreCutOff() {
        assertThat(push(partition, 8)).containsExactly(new Bounded(1, 0L, 8, 10L));

        assertThat(push(partition, 5)).containsExactly(new Bounded(1, 8L, 2, 10L));
        assertThat(push(partition, 1)).containsExactly(new Bounded(1, null, 0, 10L));

        assertThat(api.fetch(new Span(partition.id(), 8, 20))).singleElement().satisfies(segment -> {
            assertThat(segment.count()).isEqualTo(2);
            assertThat(segment.body()).isEqualTo(Batch.ofSize(2).text());
        });
        assertThat(headOf(partition)).isEqualTo(10);
    }

    @Test
    void partitionsOfOneCallAreServedInTheirOrder() {
        assertThat(api.pushBounded(new Append(partitions.get(2), 0, Batch.ofSize(6)),
                new Append(partitions.get(0), 0, Batch.ofSize(6)), new Append(partitions.get(1), 0, Batch.ofSize(1))))
                .containsExactly(new Bounded(1, 0L, 6, 10L), new Bounded(2, 0L, 4, 10L), new Bounded(3, null, 0, 10L));
    }

    @Test
    void lockedPartitionsDoNotCountTowardTheLimit() {
        assertThat(api.pushBounded(new Append(partitions.get(0), 7, Batch.ofSize(9)),
                new Append(partitions.get(1), 0, Batch.ofSize(9)))).containsExactly(new Bounded(2, 0L, 9, 10L));
    }

    @Test
    void sizeShrinksWhenEveryGroupHasFinished() {
        push(partition, 10);
        finish(GROUP, 4);
        api.openCursors(new Opening(partition.id(), "slow", null));
        assertThat(push(partition, 1).getFirst().count()).as("the slow group has not read it").isZero();

        finish("slow", 3);

        assertThat(push(partition, 5).getFirst().count()).isEqualTo(3);
    }

    @Test
    void messagesFinishedOutOfOrderReduceTheSize() {
        push(partition, 10);
        api.openCursors(new Opening(partition.id(), GROUP, null));
        var request = LeaseRequest.of(partition, GROUP, 10);
        api.lease(request);

        api.ack(Holder.of(request, "{[4,6),[9,10)}"));

        assertThat(push(partition, 5).getFirst().count()).isEqualTo(3);
    }

    @Test
    void aNewGroupFillsTheQueueAgain() {
        push(partition, 10);
        finish(GROUP, 10);
        assertThat(push(partition, 1).getFirst().count()).isEqualTo(1);
        // The next push would fit without the backlog of the new group.
        api.openCursors(new Opening(partition.id(), "newcomers", null));

        assertThat(push(partition, 1).getFirst().count()).isZero();
    }

    @Test
    void changesByOperatorsAreRecounted() {
        push(partition, 10);
        finish(GROUP, 10);
        assertThat(push(partition, 1).getFirst().count()).isEqualTo(1);
        api.everywhere("update cursor set committed = 0 where partition_id = '" + partition.id() + "'");
        api.execute("select " + api.schema() + ".queue_revised('" + partition.queueId() + "')");

        assertThat(push(partition, 1).getFirst().count()).isZero();
    }

    @Test
    void retentionReducesTheSize() {
        var queue = api.configure(partition.queue(), Map.of("retention_enabled", true, "retention_s", 100));
        assertThat(queue.id()).isEqualTo(partition.queueId());
        push(partition, 10);
        var upkeep = new Upkeep(api);
        upkeep.age(partition, 101);
        upkeep.retain();

        assertThat(push(partition, 11).getFirst().count()).isEqualTo(10);
    }

    @Test
    void aNewLimitCountsExistingMessages() {
        var open = database.newPartitionWith(7);
        api.configure(open.queue(), Map.of("max_size", 10));

        assertThat(api.pushBounded(new Append(open, 7, Batch.ofSize(5)))).containsExactly(new Bounded(1, 7L, 3, 10L));
    }

    @Test
    void withoutALimitNoPushIsRejected() {
        push(partition, 10);
        api.configure(partition.queue(), Map.of("max_size", 0));

        assertThat(push(partition, 50).getFirst().count()).isEqualTo(50);
    }

    @Test
    void aTransactionThatDoesNotFitFailsAsAWhole() {
        push(partition, 8);

        assertThatThrownBy(() -> api.transactBounded(
                List.of(new Append(partitions.get(1), 0, Batch.ofSize(1)), new Append(partition, 8, Batch.ofSize(2)))))
                .isInstanceOfSatisfying(Rows.SqlFailure.class, failure -> {
                    assertThat(failure.state()).isEqualTo("QN004");
                    assertThat(failure).hasMessageContaining("the queue is full: maxSize 10");
                });
        assertThat(headOf(partitions.get(1))).isZero();
        assertThat(api.transactBounded(List.of(new Append(partition, 8, Batch.ofSize(2))))).containsExactly(8L);
    }

    @Test
    void aGroupForWhichAnOperatorSkipsAMessageHasNotFinishedTheOthers() {
        push(partition, 10);
        finish("quick", 10);
        assertThat(push(partition, 1).getFirst().count()).isOne();
        api.subscribe("late", partition.queue(), "", "", "all", null);

        api.operate("{success}", "skip_message", "me", "late", partition.queue(), partition.name(), false);

        assertThat(push(partition, 1).getFirst().count()).isZero();
    }

    /** Both write the size of the queue and the cursors of the group: in different orders they would deadlock. */
    @Test
    void firstPopAndSeekOfAGroupDoNotDeadlock() {
        push(partition, 3);
        finish("quick", 3);
        api.subscribe("late", partition.queue(), "", "", "all", null);
        var pushing = database.newSession();
        pushing.execute("begin");
        pushing.execute("select from queen.queue_size where queue_id = '" + partition.queueId() + "' for update");

        var seek = Step.start(database.newSession(), session -> session.operate("{success}", "seek_queue", "me", "late",
                partition.queue(), true, false, null)).untilItWaits(api);
        var coming = Step
                .start(database.newSession(), session -> session.openCursors(new Opening(partition.id(), "late", null)))
                .untilItWaits(api);
        pushing.execute("commit");

        assertThat(seek.result()).isEqualTo("true");
        assertThat(coming.result()).containsExactly(1);
    }

    /** A push waits for the previous one, whose messages count. */
    @Test
    void pushesToOneQueueTakeTurns() {
        var first = database.newSession();
        first.execute("begin");
        first.pushBounded(new Append(partitions.get(0), 0, Batch.ofSize(9)));
        var second = Step
                .start(database.newSession(),
                        session -> session.pushBounded(new Append(partitions.get(1), 0, Batch.ofSize(9))))
                .untilItWaits(api);

        first.execute("commit");

        assertThat(second.result()).containsExactly(new Bounded(1, 0L, 1, 10L));
    }

    @Test
    @Timeout(60)
    void limitIsNeverExceededAndNoPushBelowItIsRefused() throws Exception {
        var crowd = database.newPartitions(8, Map.of("max_size", 100));
        var stored = new AtomicInteger();
        var acked = new AtomicInteger();
        var exceeded = new AtomicLong();
        var wronglyRefused = new AtomicInteger();
        crowd.forEach(each -> api.openCursors(new Opening(each.id(), GROUP, null)));
        try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            var work = new ArrayList<Future<?>>();
            for (int i = 0; i < 4; i++) {
                var session = database.newSession();
                var mine = crowd.subList(i * 2, i * 2 + 2);
                work.add(threads.submit(() -> {
                    for (int round = 0; round < 150; round++) {
                        var target = mine.get(round % 2);
                        int wanted = 1 + round % 7;
                        int ackedBefore = acked.get();
                        stored.addAndGet(wanted);
                        var answer = session
                                .pushBounded(new Append(target, headOf(session, target), Batch.ofSize(wanted)))
                                .getFirst();
                        // No less than what was stored at any moment so far: others are counted before they are stored.
                        int most = stored.addAndGet(answer.count() - wanted);
                        if (answer.count() == 0 && most - ackedBefore < 100) {
                            wronglyRefused.incrementAndGet();
                        }
                        exceeded.accumulateAndGet(Rows.number(session.connection(),
                                "select " + session.schema() + ".count_unfinished(?)", target.queueId()), Math::max);
                    }
                }));
            }
            for (int i = 0; i < 2; i++) {
                var session = database.newSession();
                var mine = crowd.subList(i * 4, i * 4 + 4);
                work.add(threads.submit(() -> {
                    for (int round = 0; round < 200; round++) {
                        var request = LeaseRequest.of(mine.get(round % 4), GROUP, 5);
                        var given = session.lease(request).getFirst();
                        if (given.isLeased()) {
                            session.ack(Holder.of(request, "{[" + given.first() + "," + given.end() + ")}"));
                            acked.addAndGet((int) (given.end() - given.first()));
                        }
                    }
                }));
            }
            for (var each : work) {
                each.get();
            }
        }

        assertThat(exceeded.get()).isLessThanOrEqualTo(100);
        assertThat(wronglyRefused.get()).isZero();
        assertThat(Rows.number(api.connection(), "select " + api.schema() + ".count_unfinished(?)",
                crowd.getFirst().queueId())).isEqualTo(stored.get() - acked.get());
        int free = 100 - (stored.get() - acked.get());
        assertThat(push(crowd.getFirst(), 101).getFirst().count()).isEqualTo(free);
    }

    private List<Bounded> push(Partition partition, int messages) {
        return api.pushBounded(new Append(partition, headOf(partition), Batch.ofSize(messages)));
    }

    private void finish(String group, int messages) {
        api.openCursors(new Opening(partition.id(), group, null));
        var request = LeaseRequest.of(partition, group, messages);
        api.lease(request);
        api.ack(Holder.of(request, "{[0," + messages + ")}"));
    }

    private long headOf(Partition partition) {
        return headOf(api, partition);
    }

    private static long headOf(Api session, Partition partition) {
        return Rows.number(session.connection(), "select head from queen.partition where id = ?", partition.id());
    }
}
