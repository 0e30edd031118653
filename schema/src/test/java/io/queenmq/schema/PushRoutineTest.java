package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Appended;
import io.queenmq.schema.Api.Span;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PushRoutineTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void nothingPushedGivesNoRow() {
        assertThat(api.push()).isEmpty();
    }

    @Test
    void segmentIsStoredAtTheHead() {
        var lane = database.newLane();

        assertThat(api.push(new Append(lane, 0, Batch.of("a", "b")))).extracting(Appended::base).containsExactly(0L);
        assertThat(api.push(new Append(lane, 2, Batch.of("c")))).extracting(Appended::base).containsExactly(2L);

        assertThat(api.fetch(new Span(lane.id(), 0, 3))).extracting(Api.Segment::body)
                .containsExactly(Batch.of("a", "b").text(), Batch.of("c").text());
        assertThat(headOf(lane)).isEqualTo(3);
    }

    @Test
    void everyLaneGetsItsSegmentWhateverTheOrderOfTheLanes() {
        var lanes = database.newLanes(50);
        Collections.shuffle(lanes);

        var appended = api.push(IntStream.range(0, 50)
                .mapToObj(i -> new Append(lanes.get(i), 0, Batch.of("of " + i))).toArray(Append[]::new));

        assertThat(appended).extracting(Appended::index)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 50).boxed().toList());
        for (int i = 0; i < 50; i++) {
            assertThat(api.fetch(new Span(lanes.get(i).id(), 0, 1))).extracting(Api.Segment::body)
                    .containsExactly(Batch.of("of " + i).text());
        }
    }

    @Test
    void laneThatMovedOnIsLeftAloneAndItsNeighbourIsServed() {
        var lanes = database.newLanes(2);
        api.push(new Append(lanes.get(0), 0, Batch.of("someone else's")));

        var appended = api.push(
                new Append(lanes.get(0), 0, Batch.of("mine")), new Append(lanes.get(1), 0, Batch.of("mine")));

        assertThat(appended).extracting(Appended::index).containsExactly(2);
        assertThat(headOf(lanes.get(0))).isEqualTo(1);
    }

    @Test
    void laneThatDoesNotExistGetsNoRow() {
        var nowhere = new Lane(UUID.randomUUID(), "no such queue", UUID.randomUUID(), "no such lane");

        assertThat(api.push(new Append(nowhere, 0, Batch.of("a")))).isEmpty();
        assertThat(api.fetch(new Span(nowhere.id(), 0, 10))).isEmpty();
    }

    @Test
    void callThatGivesALaneTwiceIsRefusedAsAWhole() {
        var lane = database.newLane();

        assertThatThrownBy(() -> api.push(new Append(lane, 0, Batch.of("a")), new Append(lane, 0, Batch.of("b", "c"))))
                .hasMessageContaining("given twice");

        assertThat(headOf(lane)).isZero();
        assertThat(api.fetch(new Span(lane.id(), 0, 10))).isEmpty();
    }

    @Test
    void timeDoesNotGoBackWithinAPartition() {
        assertThat(pushedAfter("40 s").createdAt()).isAfter(OffsetDateTime.now().plusSeconds(20));
    }

    @Test
    void aMessageHasThePresentTimeAfterOneThatIsDatedFarInTheFuture() {
        assertThat(pushedAfter("1 day").createdAt()).isBefore(OffsetDateTime.now().plusMinutes(1));
    }

    private Api.Appended pushedAfter(String ahead) {
        var lane = database.newLane();
        api.push(new Append(lane, 0, Batch.of("a")));
        api.everywhere("update partition set last_push_at = now() + interval '" + ahead + "' where id = '"
                + lane.id() + "'");
        return api.push(new Append(lane, 1, Batch.of("b"))).getFirst();
    }

    @Test
    void activityIsNotedInStepsOfTenSeconds() {
        var lane = database.newLane();
        api.everywhere("update partition set active_at = now() - interval '11 s' where id = '"
                + lane.id() + "'");

        var before = Rows.strings(api.connection(), "select clock_timestamp()::text").getFirst();
        api.push(new Append(lane, 0, Batch.of("a")));

        assertThat(api.list(rows -> rows.getBoolean(1),
                "select active_at >= ?::timestamptz from queen.partition where id = ?", before, lane.id()))
                .containsExactly(true);
    }

    @Test
    void emptySegmentIsRefused() {
        var lane = database.newLane();

        assertThatThrownBy(() -> api.push(new Append(lane, 0, new Batch(0, new byte[0], new byte[0]))))
                .hasMessageContaining("segment_is_not_empty");
    }

    @Test
    void segmentWithoutAHashForEachMessageIsRefused() {
        var lane = database.newLane();
        var twoMessages = Batch.of("a", "b");

        assertThatThrownBy(() -> api.push(new Append(lane, 0, new Batch(2, new byte[8], twoMessages.body()))))
                .hasMessageContaining("segment_has_a_hash_for_each_message");
    }

    @Test
    void cursorsAreNotTouched() {
        var lane = database.newLaneWith(1);
        var before = api.list(rows -> rows.getString(1),
                "select xmin::text || ctid::text from " + Shards.name(0) + ".cursor");

        api.push(new Append(lane, 1, Batch.of("next")));

        assertThat(api.list(rows -> rows.getString(1),
                "select xmin::text || ctid::text from " + Shards.name(0) + ".cursor"))
                .isEqualTo(before);
    }

    private long headOf(Lane lane) {
        return Rows.number(api.connection(), "select head from queen.partition where id = ?", lane.id());
    }
}
