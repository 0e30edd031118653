package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.CursorState;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.PendingCheck;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ClearQueueRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final OperatorRoutines operators = new OperatorRoutines(api);
    private final List<Partition> partitions = database.newPartitions(2);

    @Test
    void allMessagesAreRemovedForAllGroups() {
        fill();

        assertThat(clear("null", "cleared")).isEqualTo("6");

        for (var partition : partitions) {
            assertThat(api.lease(LeaseRequest.of(partition, GROUP, 5)).getFirst().status()).isEqualTo("empty");
            assertThat(api.hasPending(new PendingCheck(partition.queueId(), partition.id(), "newcomers", 60)))
                    .isEmpty();
            assertThat(Rows.number(api.connection(), "select count(*) from queen.segment where partition_id = ?",
                    partition.id())).isZero();
        }
    }

    @Test
    void laterPushesAreDelivered() {
        fill();
        clear("null", "cleared");

        operators.push(partitions.getFirst(), "new");

        assertThat(api.lease(LeaseRequest.of(partitions.getFirst(), GROUP, 5)).getFirst())
                .returns("leased", LeaseResult::status).returns(3L, LeaseResult::first).returns(4L, LeaseResult::end);
    }

    @Test
    void leasesAreFenced() {
        fill();
        var request = LeaseRequest.of(partitions.getFirst(), GROUP, 2);
        api.lease(request);

        clear("null", "cleared");

        assertThat(api.ack(Holder.of(request, "{[0,2)}")).getFirst()).returns(false, CursorState::isLive).returns(3L,
                CursorState::committed);
        assertThat(CursorRow.of(api, partitions.getFirst(), GROUP)).returns(true, CursorRow::isFree).returns(0L,
                CursorRow::completed);
    }

    @Test
    void nothingIsFailingAnyMore() {
        fill();
        var request = LeaseRequest.of(partitions.getFirst(), GROUP, 3);
        api.lease(request);
        api.nack(List.of(Holder.of(request, "{}")), Failed.of(1));

        clear("null", "cleared");

        assertThat(CursorRow.of(api, partitions.getFirst(), GROUP)).returns(false, CursorRow::isFailing).returns(null,
                CursorRow::retryAt);
        assertThat(Rows.number(api.connection(), "select count(*) from queen.failure where partition_id = ?",
                partitions.getFirst().id())).isZero();
    }

    @Test
    void messagesThatTheGroupHadNotFinishedCountAsSkipped() {
        fill();
        var request = LeaseRequest.of(partitions.getFirst(), GROUP, 3);
        api.lease(request);
        api.ack(Holder.of(request, "{[1,2)}"));

        clear("null", "cleared");

        assertThat(CursorRow.of(api, partitions.getFirst(), GROUP)).returns(1L, CursorRow::completed).returns(3L,
                CursorRow::committed);
        assertThat(skipped(partitions.getFirst())).isEqualTo(2);
        clear("null", "cleared");
        assertThat(skipped(partitions.getFirst())).as("nothing was left to skip").isEqualTo(2);
    }

    private long skipped(Partition partition) {
        return Rows.number(api.connection(),
                "select skipped_count from queen.cursor where partition_id = ? and group_name = '" + GROUP + "'",
                partition.id());
    }

    @Test
    void onePartitionMayBeClearedAlone() {
        fill();

        assertThat(clear("'" + partitions.getFirst().name() + "'", "cleared")).isEqualTo("3");

        assertThat(api.lease(LeaseRequest.of(partitions.getFirst(), GROUP, 5)).getFirst().status()).isEqualTo("empty");
        assertThat(api.lease(LeaseRequest.of(partitions.getLast(), GROUP, 5)).getFirst().status()).isEqualTo("leased");
    }

    @Test
    void deadLettersStay() {
        fill();
        var request = LeaseRequest.of(partitions.getFirst(), GROUP, 3);
        api.lease(request);
        api.nack(List.of(Holder.of(request, "{}")), new Failed(1, 0, "dlq", "x"));

        clear("null", "cleared");

        assertThat(DeadLetter.of(api, partitions.getFirst())).hasSize(1);
    }

    @Test
    void queueOrPartitionThatDoesNotExistIsNotFound() {
        assertThat(operators.ask("clear_queue(null, 'nothing like it', null)")).isNull();
        assertThat(operators.ask("clear_queue(null, '" + partitions.getFirst().queue() + "', 'no partition')"))
                .isNull();
    }

    @Test
    void clearIsAuditedAndRevisesTheQueue() {
        fill();
        long revision = revision();

        clear("null", "cleared");

        assertThat(operators.audited("clear")).contains("olga: queue " + partitions.getFirst().queue());
        assertThat(revision()).isEqualTo(revision + 1);
    }

    private void fill() {
        for (var partition : partitions) {
            operators.push(partition, "a", "b", "c");
            api.openCursors(new Opening(partition.id(), GROUP, null));
        }
    }

    private String clear(String partition, String field) {
        return operators.ask("clear_queue('olga', '" + partitions.getFirst().queue() + "', " + partition + ")", field);
    }

    private long revision() {
        return Rows.number(api.connection(), "select revision from queen.queue where id = ?",
                partitions.getFirst().queueId());
    }
}
