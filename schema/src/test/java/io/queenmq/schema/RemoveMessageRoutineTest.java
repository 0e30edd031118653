package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.CaughtUp;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.PendingCheck;
import io.queenmq.schema.Api.Reader;
import io.queenmq.schema.Api.Resolved;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** A removed message is never delivered, and blocks nothing (W9). */
@ParameterizedClass(name = "short way tried: {0}")
@ValueSource(booleans = {true, false})
class RemoveMessageRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api;
    private final OperatorRoutines operators;
    private final Partition partition = database.newPartition();

    RemoveMessageRoutineTest(boolean triesPlain) {
        api = database.api().tryingPlain(triesPlain);
        operators = new OperatorRoutines(api);
    }

    @Test
    void theMessageIsListedAsRemoved() {
        fill("a", "b", "c");
        remove("b");

        assertThat(lease()).returns(0L, LeaseResult::first).returns(3L, LeaseResult::end).returns("{[1,2)}",
                LeaseResult::acked);
    }

    @Test
    void theFirstRemainingMessageIsLeasedFirst() {
        fill("a", "b", "c");
        remove("a");

        assertThat(lease()).returns(1L, LeaseResult::first).returns(3L, LeaseResult::end);
    }

    @Test
    void ackOfTheOthersPassesOverIt() {
        fill("a", "b", "c");
        remove("b");
        var request = LeaseRequest.of(partition, GROUP, 3);
        api.lease(request);

        var standing = api.ack(Holder.of(request, "{[0,1),[2,3)}")).getFirst();

        assertThat(standing.isReleased()).isTrue();
        assertThat(CursorRow.of(api, partition, GROUP)).returns(3L, CursorRow::committed)
                .returns(null, CursorRow::acked).returns(2L, CursorRow::completed);
    }

    @Test
    void holderOfALeaseMayStillAckIt() {
        fill("a", "b");
        var request = LeaseRequest.of(partition, GROUP, 2);
        api.lease(request);
        remove("a");

        var standing = api.ack(Holder.of(request, "{[0,2)}")).getFirst();

        assertThat(standing).returns(true, Api.CursorState::isLive).returns(2L, Api.CursorState::committed);
        assertThat(CursorRow.of(api, partition, GROUP).completed()).isEqualTo(1);
    }

    @Test
    void aLeaseEndsWithTheRemovalOfItsOnlyMessage() {
        fill("a", "b");
        api.lease(LeaseRequest.of(partition, GROUP, 1));
        remove("a");

        assertThat(lease()).returns("leased", LeaseResult::status).returns(1L, LeaseResult::first);
    }

    @Test
    void aPartitionWithRemovedMessagesOnlyIsPendingForNoGroup() {
        fill("a", "b", "c");
        remove("b");
        remove("c");
        remove("a");

        assertThat(lease().status()).isEqualTo("empty");
        assertThat(isPending(GROUP)).isFalse();
        assertThat(isPending("newcomers")).isFalse();
    }

    @Test
    void theTransactionIdStaysADuplicateWithoutMessages() {
        fill("a", "b");
        remove("a");
        remove("b");

        assertThat(api.catchUp(100, 3600, CatchUp.of(partition, -1)).getFirst()).returns(0L, CaughtUp::known)
                .returns(List.of(2), CaughtUp::counts);
    }

    @Test
    void laterGroupDoesNotGetIt() {
        fill("a", "b", "c");
        remove("b");
        api.openCursors(new Opening(partition.id(), "newcomers", null));
        var request = LeaseRequest.of(partition, "newcomers", 3);

        assertThat(api.lease(request).getFirst().acked()).isEqualTo("{[1,2)}");
        assertThat(api.ack(Holder.of(request, "{[0,1),[2,3)}")).getFirst().isReleased()).isTrue();
    }

    @Test
    void aCursorThatIsSetBackSkipsTheRemovedMessage() {
        fill("a", "b", "c");
        remove("b");
        api.lease(true, LeaseRequest.of(partition, GROUP, 3));
        api.everywhere("update cursor set committed = 1 where partition_id = '" + partition.id() + "'");

        assertThat(lease()).returns(2L, LeaseResult::first).returns(3L, LeaseResult::end);
    }

    @Test
    void aCursorThatIsSetBackToRemovedMessagesIsFinished() {
        fill("a", "b", "c");
        remove("b");
        remove("c");
        api.everywhere("update cursor set committed = 1, acked = null where partition_id = '" + partition.id() + "'");

        assertThat(lease().status()).isEqualTo("empty");
        assertThat(isPending(GROUP)).isFalse();
    }

    @Test
    void autoAckDoesNotCountIt() {
        fill("a", "b", "c");
        remove("b");

        var given = api.lease(true, LeaseRequest.of(partition, GROUP, 2)).getFirst();

        assertThat(given).returns(0L, LeaseResult::first).returns(2L, LeaseResult::end).returns("{[1,2)}",
                LeaseResult::acked);
        assertThat(CursorRow.of(api, partition, GROUP)).returns(2L, CursorRow::committed).returns(1L,
                CursorRow::completed);
    }

    @Test
    void overdueLeaseDoesNotBlameIt() {
        fill("a", "b");
        var request = LeaseRequest.of(partition, GROUP, 2);
        api.lease(request);
        remove("a");
        CursorRow.runOut(api, partition, GROUP);

        api.expire(new Reader(partition.id(), GROUP));

        assertThat(Rows.strings(api.connection(), "select message_offset from queen.failure where partition_id = ?",
                partition.id())).containsExactly("1");
    }

    @Test
    void failingOneHoldsThePartitionNoLonger() {
        var slow = database.newPartition(Map.of("retry_delay_ms", 600_000));
        operators.fill(slow, "a", "b");
        api.openCursors(new Opening(slow.id(), GROUP, null));
        var request = LeaseRequest.of(slow, GROUP, 1);
        api.lease(request);
        api.nack(List.of(Holder.of(request, "{}")), Failed.of(0));
        long revision = revision(slow);

        remove(slow, "a");

        assertThat(api.lease(LeaseRequest.of(slow, GROUP, 5)).getFirst()).returns("leased", LeaseResult::status)
                .returns(1L, LeaseResult::first).returns(0, LeaseResult::attempts);
        assertThat(revision(slow)).isGreaterThan(revision);
    }

    @Test
    void theMessageIsNotShown() {
        fill("a", "b");
        remove("a");

        assertThat(operators.ask("show_message('" + partition.id() + "', 'a')")).isNull();
        assertThat(Rows.strings(api.connection(), "select transaction_id from queen.message where partition_id = ?",
                partition.id())).containsExactly("b");
        assertThat(operators.ask("remove_message(null, '" + partition.id() + "', 'a')")).isNull();
    }

    @Test
    void theRemovalIsAudited() {
        fill("a");
        remove("a");

        assertThat(operators.audited("remove")).contains("olga: message a of partition " + partition.id());
    }

    private void fill(String... transactionIds) {
        operators.push(partition, transactionIds);
        api.openCursors(new Opening(partition.id(), GROUP, null));
    }

    private void remove(String transactionId) {
        remove(partition, transactionId);
    }

    private void remove(Partition from, String transactionId) {
        assertThat(operators.ask("remove_message('olga', '" + from.id() + "', '" + transactionId + "')", "success"))
                .isEqualTo("true");
    }

    private LeaseResult lease() {
        return api.lease(LeaseRequest.of(partition, GROUP, 10)).getFirst();
    }

    private boolean isPending(String group) {
        boolean isPending = !api.hasPending(new PendingCheck(partition.queueId(), partition.id(), group, 60)).isEmpty();
        assertThat(!api.hasPending(new PendingCheck(partition.queueId(), null, group, 60)).isEmpty())
                .isEqualTo(isPending);
        assertThat(api.resolve(partition.queueId(), group, null, "", 100).stream().anyMatch(Resolved::isPending))
                .isEqualTo(isPending);
        return isPending;
    }

    private long revision(Partition of) {
        return Rows.number(api.connection(), "select revision from queen.queue where id = ?", of.queueId());
    }
}
