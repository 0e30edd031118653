package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Span;
import io.queenmq.schema.Api.Transaction;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TransactRoutineTest {
    private static final String GROUP = "workers";
    private static final String PARTITION_MOVED_ON = "QN001";
    private static final String LEASE_IS_GONE = "QN002";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Partition source = database.newPartitionWith(3);
    private final Partition target = database.newPartition();
    private final LeaseRequest request = LeaseRequest.of(source, GROUP, 3);

    @Test
    void emptyTransactionSucceeds() {
        assertThat(api.transact(new Transaction(List.of(), List.of(), List.of(), List.of()))).isEmpty();
    }

    @Nested
    class WhenEveryLeaseIsLive {
        {
            api.lease(request);
        }

        @Test
        void messagesArePushedAndAcked() {
            assertThat(transact(Holder.of(request, "{[0,3)}"))).containsExactly(0L);

            assertThat(api.fetch(new Span(target.id(), 0, 1))).hasSize(1);
            assertThat(CursorRow.of(api, source, GROUP)).returns(3L, CursorRow::committed).returns(true,
                    CursorRow::isFree);
        }

        @Test
        void segmentsAreReturnedInInputOrder() {
            var partitions = database.newPartitions(3);
            api.push(new Append(partitions.get(1), 0, Batch.ofSize(5)));

            assertThat(api.transact(new Transaction(List.of(new Append(partitions.get(2), 0, Batch.of("a")),
                    new Append(partitions.get(1), 5, Batch.of("a")), new Append(partitions.get(0), 0, Batch.of("a"))),
                    List.of(), List.of(), List.of()))).containsExactly(0L, 5L, 0L);
        }

        @Test
        void failedMessageIsRetriedAndThePushStays() {
            api.transact(new Transaction(List.of(new Append(target, 0, Batch.of("out"))),
                    List.of(Holder.of(request, "{[0,1)}")), List.of(Failed.of(1)), List.of()));

            assertThat(CursorRow.of(api, source, GROUP)).returns(1L, CursorRow::committed)
                    .returns(true, CursorRow::isFree).returns(true, CursorRow::isFailing);
            assertThat(api.fetch(new Span(target.id(), 0, 1))).hasSize(1);
        }

        @Test
        void requiredLeaseThatIsLiveIsEnough() {
            assertThat(api.transact(new Transaction(List.of(new Append(target, 0, Batch.of("out"))), List.of(),
                    List.of(), List.of(request.lease())))).containsExactly(0L);
        }

        @Test
        void aMessageOutsideTheLeaseAbortsTheTransaction() {
            api.push(new Append(source, 3, Batch.of("not leased")));

            assertStops(LEASE_IS_GONE, List.of(Holder.of(request, "{[0,4)}")), List.of(), List.of());
            assertStops(LEASE_IS_GONE, List.of(Holder.of(request, "{}")), List.of(Failed.of(3)), List.of());
        }

        @Test
        void aChangedHeadAbortsTheTransaction() {
            api.push(new Append(target, 0, Batch.of("another")));

            assertStops(PARTITION_MOVED_ON, List.of(Holder.of(request, "{[0,3)}")), List.of(), List.of());
        }

        @Test
        void oneExpiredLeaseOfSeveralAbortsTheTransaction() {
            var other = database.newPartitionWith(1);
            var dead = LeaseRequest.of(other, GROUP, 1).forSeconds(0);
            api.lease(dead);

            assertStops(LEASE_IS_GONE, List.of(Holder.of(request, "{[0,3)}"), Holder.of(dead, "{[0,1)}")), List.of(),
                    List.of());
            assertStops(LEASE_IS_GONE, List.of(Holder.of(request, "{}"), Holder.of(dead, "{[0,1)}")),
                    List.of(Failed.of(0)), List.of());
            assertStops(LEASE_IS_GONE, List.of(Holder.of(request, "{[0,3)}")), List.of(), List.of(dead.lease()));
        }

        @Test
        void aGroupWithoutACursorAbortsTheTransaction() {
            var stranger = new Holder(source.id(), "strangers", request.lease(), "{[0,1)}");

            assertStops(LEASE_IS_GONE, List.of(Holder.of(request, "{[0,3)}"), stranger), List.of(), List.of());
            assertStops(LEASE_IS_GONE, List.of(Holder.of(request, "{}"), stranger), List.of(Failed.of(0)), List.of());
        }

        @Test
        void anUnknownRequiredLeaseAbortsTheTransaction() {
            assertStops(LEASE_IS_GONE, List.of(), List.of(), List.of(request.lease(), UUID.randomUUID()));
        }
    }

    @Nested
    class WhenTheLeaseIsGone {
        @Test
        void anExpiredLeaseAbortsTheTransaction() {
            api.lease(request);
            CursorRow.runOut(api, source, GROUP);

            assertStops(LEASE_IS_GONE, List.of(Holder.of(request, "{[0,3)}")), List.of(), List.of());
            assertStops(LEASE_IS_GONE, List.of(Holder.of(request, "{}")), List.of(Failed.of(0)), List.of());
            assertStops(LEASE_IS_GONE, List.of(), List.of(), List.of(request.lease()));
        }

        @Test
        void aMissingLeaseAbortsTheTransaction() {
            assertStops(LEASE_IS_GONE, List.of(Holder.of(request, "{[0,3)}")), List.of(), List.of());
            assertStops(LEASE_IS_GONE, List.of(Holder.of(request.as(null), "{[0,3)}")), List.of(), List.of());
        }
    }

    private List<Long> transact(Holder... holders) {
        return api.transact(new Transaction(List.of(new Append(target, 0, Batch.of("out"))), List.of(holders),
                List.of(), List.of()));
    }

    private void assertStops(String state, List<Holder> holders, List<Failed> items, List<UUID> required) {
        var before = CursorRow.of(api, source, GROUP);
        long headBefore = headOf(target);

        assertThatThrownBy(() -> api
                .transact(new Transaction(List.of(new Append(target, 0, Batch.of("out"))), holders, items, required)))
                .isInstanceOfSatisfying(Rows.SqlFailure.class, e -> assertThat(e.state()).isEqualTo(state));

        assertThat(CursorRow.of(api, source, GROUP)).isEqualTo(before);
        assertThat(headOf(target)).isEqualTo(headBefore);
    }

    private long headOf(Partition partition) {
        return Rows.number(api.connection(), "select head from queen.partition where id = ?", partition.id());
    }
}
