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
        var lane = lane(3);
        api.lease(true, Wish.of(lane, GROUP, 1));

        assertThat(skip(lane, false, "skippedOffset")).isEqualTo("1");

        var cursor = CursorRow.of(api, lane, GROUP);
        assertThat(cursor.committed()).isEqualTo(2);
        assertThat(cursor.completed()).isEqualTo(1);
        assertThat(skipped(lane)).isEqualTo(1);
        assertThat(deadLetters(lane)).isEmpty();
    }

    @Test
    void aCopyGoesToTheDeadLettersWhenWanted() {
        var lane = lane(2);

        skip(lane, true, "success");

        var cursor = CursorRow.of(api, lane, GROUP);
        assertThat(deadLetters(lane)).containsExactly("0 skipped by an operator");
        assertThat(cursor.completed()).isZero();
        assertThat(cursor.dead()).isEqualTo(1);
        assertThat(skipped(lane)).isZero();
    }

    @Test
    void theLeaseOnTheLaneIsOver() {
        var lane = lane(3);
        var held = Wish.of(lane, GROUP, 3);
        api.lease(held);

        skip(lane, false, "success");

        assertThat(api.ack(Holder.of(held, "{[0,3)}")).getFirst().isLive()).isFalse();
        assertThat(api.lease(Wish.of(lane, GROUP, 9)).getFirst().first()).isEqualTo(1);
    }

    @Test
    void whatWasAckedOutOfOrderStaysAcked() {
        var lane = lane(4);
        var held = Wish.of(lane, GROUP, 4);
        api.lease(held);
        api.ack(Holder.of(held, "{[1,2),[3,4)}"));

        assertThat(skip(lane, false, "cursorMovedTo")).isEqualTo("2");
        assertThat(skip(lane, false, "cursorMovedTo")).isEqualTo("4");

        assertThat(CursorRow.of(api, lane, GROUP).completed()).isEqualTo(2);
        assertThat(skipped(lane)).isEqualTo(2);
    }

    @Test
    void aMessageThatWaitsForItsRetryHoldsTheLaneNoLonger() {
        var lane = lane(2, Map.of("retry_delay_ms", 60_000));
        var held = Wish.of(lane, GROUP, 2);
        api.lease(held);
        api.nack(List.of(Holder.of(held, "{}")), Failed.of(0));
        assertThat(api.lease(Wish.of(lane, GROUP, 1)).getFirst().status()).isEqualTo("waiting");

        skip(lane, true, "success");

        assertThat(api.lease(Wish.of(lane, GROUP, 1)).getFirst().first()).isEqualTo(1);
        assertThat(Rows.number(api.connection(), "select attempts from queen.dead_letter where partition_id = ?",
                lane.id()))
                .isEqualTo(1);
    }

    @Test
    void messagesRemovedUnreadAreNotWhatIsSkipped() {
        var lane = lane(5);
        api.everywhere("update partition set tail = 2 where id = '" + lane.id() + "'");

        assertThat(skip(lane, false, "skippedOffset")).isEqualTo("2");
        assertThat(api.lease(Wish.of(lane, GROUP, 9)).getFirst().first()).isEqualTo(3);
    }

    @Test
    void nothingUnreadCannotBeSkipped() {
        var lane = lane(1);
        skip(lane, false, "success");

        assertThatThrownBy(() -> skip(lane, false, "success")).hasMessageContaining("no unread message");
    }

    @Test
    void aLaneThatDoesNotExistHasNothingToSkip() {
        var lane = lane(1);

        assertThat(api.operate("{success}", "skip_message", "me", GROUP, lane.queue(), "elsewhere", false)).isNull();
        assertThat(api.operate("{success}", "skip_message", "me", "strangers", lane.queue(), lane.name(), false))
                .isNull();
    }

    private Lane lane(int messages) {
        return lane(messages, Map.of("retry_delay_ms", 0));
    }

    private Lane lane(int messages, Map<String, Object> options) {
        var lane = database.newLaneWith(messages, options);
        api.subscribe(GROUP, lane.queue(), "", "", "all", null);
        return lane;
    }

    private String skip(Lane lane, boolean toDlq, String field) {
        return api.operate("{" + field + "}", "skip_message", "me", GROUP, lane.queue(), lane.name(), toDlq);
    }

    private long skipped(Lane lane) {
        return Rows.number(api.connection(), "select skipped_count from queen.cursor where partition_id = ?",
                lane.id());
    }

    private List<String> deadLetters(Lane lane) {
        return Rows.strings(api.connection(),
                "select message_offset || ' ' || error from queen.dead_letter where partition_id = ?", lane.id());
    }
}
