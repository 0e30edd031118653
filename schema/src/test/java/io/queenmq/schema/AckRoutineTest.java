package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.CursorState;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AckRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void emptyAckReturnsNoRow() {
        assertThat(api.ack()).isEmpty();
    }

    @Nested
    class UnderALiveLease {
        private final Partition partition = database.newPartitionWith(5);
        private final LeaseRequest request = LeaseRequest.of(partition, GROUP, 4);

        {
            api.lease(request);
        }

        @Test
        void finishedPrefixMovesTheCursor() {
            assertThat(ack("{[0,2)}")).isEqualTo(new CursorState(1, true, false, 2, null));
        }

        @Test
        void leaseEndsWhenItsWholeRangeIsFinished() {
            assertThat(ack("{[0,4)}")).isEqualTo(new CursorState(1, true, true, 4, null));
            assertThat(CursorRow.of(api, partition, GROUP)).returns(true, CursorRow::isFree).returns(4L,
                    CursorRow::completed);
        }

        @Test
        void messageFinishedAheadDoesNotMoveTheCursor() {
            assertThat(ack("{[2,3)}")).isEqualTo(new CursorState(1, true, false, 0, "{[2,3)}"));
        }

        @Test
        void gapThatIsFilledMovesTheCursorOverAllOfIt() {
            ack("{[2,3)}");

            assertThat(ack("{[0,2)}")).isEqualTo(new CursorState(1, true, false, 3, null));
            assertThat(CursorRow.of(api, partition, GROUP).completed()).isEqualTo(3);
        }

        @Test
        void messageAckedTwiceCountsOnce() {
            ack("{[0,1),[2,3)}");
            ack("{[0,1),[2,3)}");

            assertThat(CursorRow.of(api, partition, GROUP)).returns(1L, CursorRow::committed)
                    .returns("{[2,3)}", CursorRow::acked).returns(2L, CursorRow::completed);
        }

        @Test
        void messagesOutsideTheLeaseAreIgnored() {
            assertThat(ack("{[4,100)}")).isEqualTo(new CursorState(1, true, false, 0, null));
        }

        @Test
        void nothingCompletedChangesNothing() {
            ack("{[2,3)}");

            assertThat(ack("{}")).isEqualTo(new CursorState(1, true, false, 0, "{[2,3)}"));
            assertThat(ack(null)).isEqualTo(new CursorState(1, true, false, 0, "{[2,3)}"));
        }

        @Test
        void finishedMessageLosesItsFailures() {
            api.nack(List.of(Holder.of(request, "{}")), Failed.of(0));
            api.lease(request);

            ack("{[0,1)}");

            assertThat(CursorRow.of(api, partition, GROUP).isFailing()).isFalse();
            assertThat(Rows.number(api.connection(), "select count(*) from queen.failure where partition_id = ?",
                    partition.id())).isZero();
        }

        private CursorState ack(String completed) {
            return api.ack(Holder.of(request, completed)).getFirst();
        }
    }

    @Nested
    class UnderAnExpiredLease {
        private final Partition partition = database.newPartitionWith(3);
        private final LeaseRequest request = LeaseRequest.of(partition, GROUP, 3);

        @Test
        void anExpiredLeaseChangesNothing() {
            api.lease(request);
            CursorRow.runOut(api, partition, GROUP);
            var before = CursorRow.of(api, partition, GROUP);

            assertThat(ack(request).isLive()).isFalse();
            assertThat(CursorRow.of(api, partition, GROUP)).isEqualTo(before);
        }

        @Test
        void theLeaseOfAnotherConsumerChangesNothing() {
            api.lease(request);
            var before = CursorRow.of(api, partition, GROUP);

            assertThat(ack(request.as(UUID.randomUUID())).isLive()).isFalse();
            assertThat(ack(request.as(null)).isLive()).isFalse();
            assertThat(CursorRow.of(api, partition, GROUP)).isEqualTo(before);
        }

        @Test
        void freePartitionIsNotMoved() {
            assertThat(ack(request)).isEqualTo(new CursorState(1, false, true, 0, null));
        }

        @Test
        void groupWithoutACursorReturnsNoRow() {
            assertThat(api.ack(new Holder(partition.id(), "strangers", request.lease(), "{[0,1)}"))).isEmpty();
        }

        private CursorState ack(LeaseRequest as) {
            return api.ack(Holder.of(as, "{[0,3)}")).getFirst();
        }
    }

    @Test
    void anExpiredLeaseDoesNotAffectOtherAcksOfItsCall() {
        var holders = new ArrayList<Holder>();
        for (int i = 0; i < 20; i++) {
            var partition = database.newPartitionWith(1);
            var request = LeaseRequest.of(partition, GROUP, 1).forSeconds(i % 3 == 0 ? 0 : 60);
            api.lease(request);
            holders.add(Holder.of(request, "{[0,1)}"));
        }
        Collections.shuffle(holders.subList(0, 3));

        var cursorStates = api.ack(holders.toArray(Holder[]::new));

        assertThat(cursorStates).hasSize(20);
        assertThat(cursorStates.subList(3, 20))
                .allSatisfy(standing -> assertThat(standing.isLive()).isEqualTo((standing.index() - 1) % 3 != 0));
        assertThat(cursorStates).filteredOn(CursorState::isLive)
                .allSatisfy(standing -> assertThat(standing.committed()).isEqualTo(1));
    }
}
