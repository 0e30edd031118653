package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Appended;
import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.CaughtUp;
import io.queenmq.schema.Api.Opening;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** D12: a restore may bring back the key of a lane or cursor without its row. */
class PartialRestoreTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    @DisplayName("D12: a lane of which only the key is left goes on after what is stored of it")
    void laneIsRestoredFromItsSegments() {
        var lane = database.newLane();
        api.push(new Append(lane, 0, Batch.of("a", "b")));
        api.push(new Append(lane, 2, Batch.of("c")));
        lose(lane);

        assertThat(api.catchUp(100, 3600, CatchUp.of(lane, -1))).singleElement().returns(3L, CaughtUp::head)
                .returns(0L, CaughtUp::known).returns(false, CaughtUp::isNew);
        assertThat(api.push(new Append(lane, 3, Batch.of("d")))).singleElement().returns(3L, Appended::base);

        api.openCursors(new Opening(lane.id(), GROUP, null));
        assertThat(api.lease(Wish.of(lane, GROUP, 10))).singleElement().returns(0L, Given::first)
                .returns(4L, Given::end);
        assertThat(Rows.number(api.connection(), "select count(*) from queen.partition_key where id = ?", lane.id()))
                .isOne();
    }

    @Test
    void noOffsetThatAGroupHasComeToIsUsedAgain() {
        var lane = database.newLaneWith(3);
        api.lease(true, Wish.of(lane, GROUP, 3));
        api.openCursors(new Opening(lane.id(), "slow", null));
        api.everywhere("delete from segment where partition_id = '" + lane.id() + "'");
        lose(lane);

        assertThat(api.catchUp(100, 3600, CatchUp.of(lane, -1))).singleElement().returns(3L, CaughtUp::head);
        api.push(new Append(lane, 3, Batch.of("d")));

        assertThat(api.lease(Wish.of(lane, GROUP, 10))).singleElement().returns(3L, Given::first);
        assertThat(api.lease(Wish.of(lane, "slow", 10))).as("what is lost stands in nobody's way").singleElement()
                .returns(4L, Given::end);
    }

    @Test
    void offsetsWhoseMessagesAreLostCountAsRemoved() {
        var lane = database.newLane();
        api.push(new Append(lane, 0, Batch.of("a")));
        api.push(new Append(lane, 1, Batch.of("b")));
        api.push(new Append(lane, 2, Batch.of("c")));
        api.everywhere("delete from segment where base = 1 and partition_id = '" + lane.id() + "'");
        lose(lane);

        api.catchUp(100, 3600, CatchUp.of(lane, -1));

        assertThat(
                Rows.strings(api.connection(), "select removed::text || tail || head from queen.partition where id = ?",
                        lane.id()))
                .containsExactly("{[1,2)}03");
    }

    @Test
    void severalServersRestoreItOnce() {
        var lane = database.newLaneWith(2);
        lose(lane);
        var other = database.newSession();
        other.execute("begin");
        other.catchUp(100, 3600, CatchUp.of(lane, -1));

        assertThat(api.catchUp(100, 3600, CatchUp.of(lane, -1))).as("it exists, but not yet").singleElement()
                .returns(null, CaughtUp::head);
        other.execute("commit");

        assertThat(api.catchUp(100, 3600, CatchUp.of(lane, -1))).singleElement().returns(2L, CaughtUp::head);
        assertThat(Rows.number(api.connection(), "select count(*) from queen.partition where id = ?", lane.id()))
                .isOne();
    }

    @Test
    void ofALaneWhoseQueueIsGoneNothingIsAnswered() {
        var lane = new Lane(UUID.randomUUID(), "gone", UUID.randomUUID(), "a");
        api.in(lane, "insert into partition_key (id, queue_id, name) values ('" + lane.id() + "', '" + lane.queueId()
                + "', 'a')");

        assertThat(api.catchUp(100, 3600, CatchUp.of(lane, -1))).isEmpty();
    }

    @Test
    void aPushInSomebodysOwnTransactionRestoresTheLaneToo() {
        var lane = database.newLane();
        api.push(new Append(lane, 0, Batch.of("a")));
        api.everywhere("update partition_key set id = " + api.schema() + ".partition_id(queue_id, name) where id = '"
                + lane.id() + "'");
        api.everywhere("delete from segment where partition_id = '" + lane.id() + "'");
        lose(lane);

        assertThat(Rows.strings(api.connection(), "select queen.push('" + lane.queue() + "', '" + lane.name()
                + "', '{}'::text)")).containsExactly("queued");
    }

    @Test
    void aCursorOfWhichOnlyTheKeyIsLeftIsOpenedAnew() {
        var lane = database.newLaneWith(2);
        api.openCursors(new Opening(lane.id(), GROUP, null));
        api.everywhere("delete from cursor where partition_id = '" + lane.id() + "'");

        api.openCursors(new Opening(lane.id(), GROUP, null));

        assertThat(CursorRow.of(api, lane, GROUP).committed()).isZero();
        assertThat(api.lease(Wish.of(lane, GROUP, 10))).singleElement().returns(2L, Given::end);
    }

    private void lose(Lane lane) {
        api.everywhere("delete from partition where id = '" + lane.id() + "'");
    }
}
