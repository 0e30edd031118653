package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SkipMessageRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void theFirstUnfinishedMessageIsPassedOverAndCountedAsSkipped() {
        var partition = partition(3);
        api.lease(true, LeaseRequest.of(partition, GROUP, 1));

        assertThat(skip(partition, false, "skippedOffset")).isEqualTo("1");

        var cursor = CursorRow.of(api, partition, GROUP);
        assertThat(cursor.committed()).isEqualTo(2);
        assertThat(cursor.completed()).isEqualTo(1);
        assertThat(skipped(partition)).isEqualTo(1);
        assertThat(deadLetters(partition)).isEmpty();
    }

    @Test
    void aCopyBecomesADeadLetterIfRequested() {
        var partition = partition(2);

        skip(partition, true, "success");

        var cursor = CursorRow.of(api, partition, GROUP);
        assertThat(deadLetters(partition)).containsExactly("0 skipped by an operator");
        assertThat(cursor.completed()).isZero();
        assertThat(cursor.dead()).isEqualTo(1);
        assertThat(skipped(partition)).isZero();
    }

    @Test
    void theLeaseOnThePartitionIsOver() {
        var partition = partition(3);
        var held = LeaseRequest.of(partition, GROUP, 3);
        api.lease(held);

        skip(partition, false, "success");

        assertThat(api.ack(Holder.of(held, "{[0,3)}")).getFirst().isLive()).isFalse();
        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 9)).getFirst().first()).isEqualTo(1);
    }

    @Test
    void outOfOrderAcksStay() {
        var partition = partition(4);
        var held = LeaseRequest.of(partition, GROUP, 4);
        api.lease(held);
        api.ack(Holder.of(held, "{[1,2),[3,4)}"));

        assertThat(skip(partition, false, "cursorMovedTo")).isEqualTo("2");
        assertThat(skip(partition, false, "cursorMovedTo")).isEqualTo("4");

        assertThat(CursorRow.of(api, partition, GROUP).completed()).isEqualTo(2);
        assertThat(skipped(partition)).isEqualTo(2);
    }

    @Test
    void aMessageThatWaitsForItsRetryHoldsThePartitionNoLonger() {
        var partition = partition(2, Map.of("retry_delay_ms", 60_000));
        var held = LeaseRequest.of(partition, GROUP, 2);
        api.lease(held);
        api.nack(List.of(Holder.of(held, "{}")), Failed.of(0));
        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 1)).getFirst().status()).isEqualTo("waiting");

        skip(partition, true, "success");

        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 1)).getFirst().first()).isEqualTo(1);
        assertThat(Rows.number(api.connection(), "select attempts from queen.dead_letter where partition_id = ?",
                partition.id())).isEqualTo(1);
    }

    @Test
    void removedMessagesAreNotSkipped() {
        var partition = partition(5);
        api.everywhere("update partition set tail = 2 where id = '" + partition.id() + "'");

        assertThat(skip(partition, false, "skippedOffset")).isEqualTo("2");
        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 9)).getFirst().first()).isEqualTo(3);
    }

    @Test
    void nothingUnreadCannotBeSkipped() {
        var partition = partition(1);
        skip(partition, false, "success");

        assertThatThrownBy(() -> skip(partition, false, "success")).hasMessageContaining("no unread message");
    }

    @Test
    void aPartitionThatDoesNotExistHasNothingToSkip() {
        var partition = partition(1);

        assertThat(api.operate("{success}", "skip_message", "me", GROUP, partition.queue(), "missing", false)).isNull();
        assertThat(
                api.operate("{success}", "skip_message", "me", "strangers", partition.queue(), partition.name(), false))
                .isNull();
    }

    private Partition partition(int messages) {
        return partition(messages, Map.of("retry_delay_ms", 0));
    }

    private Partition partition(int messages, Map<String, Object> options) {
        var partition = database.newPartitionWith(messages, options);
        api.subscribe(GROUP, partition.queue(), "", "", "all", null);
        return partition;
    }

    private String skip(Partition partition, boolean toDlq, String field) {
        return api.operate("{" + field + "}", "skip_message", "me", GROUP, partition.queue(), partition.name(), toDlq);
    }

    private long skipped(Partition partition) {
        return Rows.number(api.connection(), "select skipped_count from queen.cursor where partition_id = ?",
                partition.id());
    }

    private List<String> deadLetters(Partition partition) {
        return Rows.strings(api.connection(),
                "select message_offset || ' ' || error from queen.dead_letter where partition_id = ?", partition.id());
    }
}
