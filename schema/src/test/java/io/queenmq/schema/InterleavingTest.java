package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Appended;
import io.queenmq.schema.Api.CursorState;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Reader;
import io.queenmq.schema.Api.Renewal;
import io.queenmq.schema.Api.Transaction;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two or three sessions, stepped explicitly: visibility, waits and rejections. */
@Timeout(300)
class InterleavingTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Api first = database.newSession();
    private final Api second = database.newSession();

    @Nested
    class WhileAPushIsNotCommitted {
        private final List<Partition> partitions = database.newPartitions(2);
        private final Partition partition = partitions.get(0);

        {
            api.openCursors(new Opening(partition.id(), GROUP, null));
            first.execute("begin");
            first.push(new Append(partition, 0, Batch.of("early")));
        }

        @Test
        void laterPushToThePartitionCannotCommitFirst() {
            assertThat(second.push(new Append(partition, 0, Batch.of("late")))).isEmpty();
            assertThat(second.push(new Append(partition, 1, Batch.of("late")))).isEmpty();

            first.execute("commit");
            assertThat(second.push(new Append(partition, 1, Batch.of("late")))).extracting(Appended::base)
                    .containsExactly(1L);
            assertThat(second.lease(LeaseRequest.of(partition, GROUP, 10)).getFirst()).returns(0L, LeaseResult::first)
                    .returns(2L, LeaseResult::end);
        }

        @Test
        void otherPartitionsAreProcessed() {
            assertThat(second.push(new Append(partition, 0, Batch.of("x")),
                    new Append(partitions.get(1), 0, Batch.of("x")))).extracting(Appended::index).containsExactly(2);
        }

        @Test
        void consumersNeitherSeeNorSkipUncommittedMessages() {
            assertThat(second.lease(LeaseRequest.of(partition, GROUP, 10)).getFirst().status()).isEqualTo("empty");
            assertThat(second.lease(true, LeaseRequest.of(partition, GROUP, 10)).getFirst().status())
                    .isEqualTo("empty");

            first.execute("commit");

            assertThat(second.lease(LeaseRequest.of(partition, GROUP, 10)).getFirst())
                    .returns("leased", LeaseResult::status).returns(0L, LeaseResult::first);
        }

        @Test
        void itsOffsetIsReusedAfterARollback() {
            first.execute("rollback");

            assertThat(second.push(new Append(partition, 0, Batch.of("other")))).extracting(Appended::base)
                    .containsExactly(0L);
        }

        @Test
        void groupInModeNewReadsIt() {
            var used = partitions.get(1);
            api.push(new Append(used, 0, Batch.of("old")));
            first.push(new Append(used, 1, Batch.of("new")));

            second.subscribe("newcomers", partition.queue(), "", "", "new", null);
            first.execute("commit");

            second.openCursors(new Opening(partition.id(), "newcomers", null));
            assertThat(second.lease(LeaseRequest.of(partition, "newcomers", 10)).getFirst())
                    .returns("leased", LeaseResult::status).returns(0L, LeaseResult::first);
            assertThat(second.lease(LeaseRequest.of(used, "newcomers", 10)).getFirst())
                    .returns("leased", LeaseResult::status).returns(1L, LeaseResult::first);
        }

        @Test
        void theQueueIsDeletedOnlyAfterIt() {
            var deletion = Step.start(second, session -> session.deleteQueue(partition.queue())).untilItWaits(api);

            first.execute("commit");

            assertThat(deletion.result()).isTrue();
            assertThat(Rows.number(api.connection(), "select count(*) from queen.segment where partition_id = ?",
                    partition.id())).isZero();
        }
    }

    @Nested
    class WhileAnotherTransactionLocksARow {
        @Test
        void pushPassesOverThatPartitionOnly() {
            var partitions = database.newPartitions(3);
            first.execute("begin");
            first.everywhere("select from partition where id = '" + partitions.get(1).id() + "' for update");

            assertThat(second.push(partitions.stream().map(partition -> new Append(partition, 0, Batch.of("a")))
                    .toArray(Append[]::new))).extracting(Appended::index).containsExactly(1, 3);
        }

        @Test
        void leaseAndExpirePassOverThatCursorOnly() {
            var locked = database.newPartitionWith(1);
            var free = database.newPartitionWith(1);
            api.lease(LeaseRequest.of(locked, GROUP, 1).forSeconds(0), LeaseRequest.of(free, GROUP, 1).forSeconds(0));
            lock(first, locked);

            assertThat(second.lease(LeaseRequest.of(locked, GROUP, 1), LeaseRequest.of(free, GROUP, 1)))
                    .extracting(LeaseResult::index).containsExactly(2);
            assertThat(second.expire(new Reader(locked.id(), GROUP), new Reader(free.id(), GROUP))).containsExactly(2);
        }
    }

    /** The result of an operation of a lease holder. */
    enum Effect {
        DONE,
        BUSY,
        NONE;

        static Effect of(boolean isDone, boolean isBusy) {
            return isBusy ? BUSY : isDone ? DONE : NONE;
        }
    }

    /** The operations of a lease holder. */
    enum Operation {
        ACK((session, request) -> {
            var answer = session.ack(Holder.of(request, "{[0,2)}")).getFirst();
            return Effect.of(answer.isLive(), answer.isBusy());
        }),
        NACK((session, request) -> nack(session, request, Failed.of(0))),
        DEAD_LETTER((session, request) -> nack(session, request, new Failed(1, 0, "dlq", null))),
        RENEW((session, request) -> {
            var answer = session.renew(new Renewal(request.lease(), 600));
            return Effect.of(!answer.isEmpty(), answer.stream().anyMatch(Api.Renewed::isBusy));
        }),
        RELEASE((session, request) -> {
            var answer = session.releaseWithBusy(Holder.of(request, "{}"));
            return Effect.of(!answer.isEmpty(), answer.stream().anyMatch(Api.Released::isBusy));
        });

        private final BiFunction<Api, LeaseRequest, Effect> call;

        Operation(BiFunction<Api, LeaseRequest, Effect> call) {
            this.call = call;
        }

        private static Effect nack(Api session, LeaseRequest request, Failed item) {
            var answer = session.nack(List.of(Holder.of(request, "{}")), item);
            return Effect.of(!answer.items().isEmpty(), answer.holders().getFirst().isBusy());
        }
    }

    @Nested
    @DisplayName("while the row of a cursor is locked")
    class WhileTheRowOfACursorIsLocked {
        private final Partition partition = database.newPartitionWith(2);
        private final LeaseRequest request = LeaseRequest.of(partition, GROUP, 2);

        {
            api.lease(request);
        }

        @ParameterizedTest
        @EnumSource
        void operationDoesNotWaitAndCanBeRepeated(Operation operation) {
            var before = CursorRow.of(api, partition, GROUP);
            lock(first, partition);

            assertThat(operation.call.apply(second, request)).isEqualTo(Effect.BUSY);
            assertThat(CursorRow.of(api, partition, GROUP)).isEqualTo(before);
            first.execute("commit");

            assertThat(operation.call.apply(second, request)).isEqualTo(Effect.DONE);
        }

        /** Except for RELEASE: an expired lease that is released charges no attempt, as ReleaseRoutineTest shows. */
        @ParameterizedTest
        @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RELEASE")
        void leaseThatRunsOutMeanwhileIsDead(Operation operation) {
            lock(first, partition);
            assertThat(operation.call.apply(second, request)).isEqualTo(Effect.BUSY);
            first.everywhere("update cursor set lease_until = now() where partition_id = '" + partition.id() + "'");
            first.execute("commit");

            assertThat(operation.call.apply(second, request)).isEqualTo(Effect.NONE);
            assertThat(CursorRow.of(api, partition, GROUP)).returns(0L, CursorRow::committed)
                    .returns(request.lease(), CursorRow::lease).returns(false, CursorRow::isFailing);
            assertThat(DeadLetter.of(api, partition)).isEmpty();
        }

        @ParameterizedTest
        @EnumSource
        void aLeaseThatWasReassignedMeanwhileIsNotValid(Operation operation) {
            var heir = LeaseRequest.of(partition, GROUP, 2);
            first.execute("begin");
            takeOver(first, partition, heir);
            assertThat(operation.call.apply(second, request)).isEqualTo(Effect.BUSY);
            var after = CursorRow.of(first, partition, GROUP);
            first.execute("commit");

            assertThat(operation.call.apply(second, request)).isEqualTo(Effect.NONE);
            assertThat(CursorRow.of(api, partition, GROUP)).isEqualTo(after).returns(heir.lease(), CursorRow::lease);
            assertThat(api.ack(Holder.of(heir, "{[0,1)}")).getFirst().isLive()).isTrue();
        }

        @Test
        void otherAcksOfTheCallSucceed() {
            var free = database.newPartitionWith(2);
            var other = LeaseRequest.of(free, GROUP, 2);
            api.lease(other);
            lock(first, partition);

            assertThat(second.renew(new Renewal(request.lease(), 600), new Renewal(other.lease(), 600)))
                    .extracting(Api.Renewed::isBusy).containsExactly(true, false);
            assertThat(second.ack(Holder.of(request, "{[0,1)}"), Holder.of(other, "{[0,1)}")))
                    .extracting(CursorState::isLive, CursorState::isBusy)
                    .containsExactly(tuple(false, true), tuple(true, false));
            assertThat(second.nack(List.of(Holder.of(request, "{}"), Holder.of(other, "{}")), Failed.of(0),
                    new Failed(2, 1, "failed", "boom")).items()).extracting(Api.Verdict::itemIndex).containsExactly(2);
            assertThat(CursorRow.of(api, free, GROUP)).returns(1L, CursorRow::committed).returns(true,
                    CursorRow::isFree);
        }

        @Test
        void transactionIsSentBackAsAWhole() {
            var target = database.newPartition();
            lock(first, partition);

            assertThatThrownBy(() -> second.transact(new Transaction(List.of(new Append(target, 0, Batch.of("out"))),
                    List.of(Holder.of(request, "{[0,1)}")), List.of(), List.of()))).satisfies(InterleavingTest::isBusy);
            assertThat(headOf(target)).isZero();
        }
    }

    @Nested
    class WhenAnExpiredConsumerTransacts {
        private final Partition source = database.newPartitionWith(1);
        private final Partition target = database.newPartition();
        private final LeaseRequest zombie = LeaseRequest.of(source, GROUP, 1);
        private final LeaseRequest heir = LeaseRequest.of(source, GROUP, 1);

        {
            api.lease(zombie);
        }

        @Test
        void itsOutputIsNotStoredAndTheHeirsIs() {
            takeOver(api, source, heir);

            assertThatThrownBy(() -> handOver(second, zombie)).satisfies(InterleavingTest::isLostLease);
            assertThat(handOver(first, heir)).containsExactly(0L);

            assertThatThrownBy(() -> handOver(second, zombie)).satisfies(InterleavingTest::isLostLease);
            assertThat(headOf(target)).isEqualTo(1);
            assertThat(CursorRow.of(api, source, GROUP).committed()).isEqualTo(1);
        }

        @Test
        void takeOverWhileTheCursorIsLockedIsNoticed() {
            first.execute("begin");
            takeOver(first, source, heir);
            assertThatThrownBy(() -> handOver(second, zombie)).satisfies(InterleavingTest::isBusy);
            first.execute("commit");

            assertThatThrownBy(() -> handOver(second, zombie)).satisfies(InterleavingTest::isLostLease);
            assertThat(headOf(target)).isZero();
            assertThat(api.push(new Append(target, 0, Batch.of("afterward")))).hasSize(1);
        }

        @Test
        void aReassignedRequiredLeaseIsRejected() {
            first.execute("begin");
            takeOver(first, source, heir);
            assertThatThrownBy(this::push).satisfies(InterleavingTest::isBusy);
            first.execute("commit");

            assertThatThrownBy(this::push).satisfies(InterleavingTest::isLostLease);
            assertThat(headOf(target)).isZero();
        }

        private void push() {
            second.transact(new Transaction(List.of(new Append(target, 0, Batch.of("out"))), List.of(), List.of(),
                    List.of(zombie.lease())));
        }

        private List<Long> handOver(Api session, LeaseRequest request) {
            return session.transact(new Transaction(List.of(new Append(target, headOf(target), Batch.of("out"))),
                    List.of(Holder.of(request, "{[0,1)}")), List.of(), List.of(request.lease())));
        }
    }

    @Test
    void secondSubscriberGetsTheModeOfTheFirst() {
        first.execute("begin");
        first.subscribe("both", "someday", "", "", "new", null);
        var step = Step.start(second, session -> session.subscribe("both", "someday", "", "", "all", null))
                .untilItWaits(api);
        first.execute("commit");

        assertThat(step.result().mode()).isEqualTo("new");
    }

    private static void lock(Api session, Partition partition) {
        session.execute("begin");
        session.everywhere("select from cursor where partition_id = '" + partition.id() + "' for update");
    }

    private static void takeOver(Api session, Partition partition, LeaseRequest heir) {
        CursorRow.runOut(session, partition, GROUP);
        assertThat(session.expire(new Reader(partition.id(), GROUP))).containsExactly(1);
        assertThat(session.lease(heir).getFirst().status()).isEqualTo("leased");
    }

    private static void isLostLease(Throwable thrown) {
        isRefused(thrown, "QN002");
    }

    private static void isBusy(Throwable thrown) {
        isRefused(thrown, "QN006");
    }

    private static void isRefused(Throwable thrown, String state) {
        assertThat(thrown).isInstanceOfSatisfying(Rows.SqlFailure.class,
                failure -> assertThat(failure.state()).isEqualTo(state));
    }

    private long headOf(Partition partition) {
        return Rows.number(api.connection(), "select head from queen.partition where id = ?", partition.id());
    }
}
