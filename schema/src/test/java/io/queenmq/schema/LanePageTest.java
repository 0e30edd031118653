package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.Resolved;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whoever goes through the lanes of a queue by name finds the lanes there are, each as it is. */
class LanePageTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void lanesComeByNameAndOfOneQueueOnly() {
        var lanes = database.newLanes(5);
        database.newLanes(5);

        assertThat(names(lanes.getFirst().queueId(), "lane-00000", 3))
                .containsExactly("lane-00001", "lane-00002", "lane-00003");
    }

    @Test
    void laneIsFoundWhenItsTransactionCommits() {
        var first = pushedTo(database.newLane());
        var next = database.lane(first.queueId(), first.queue(), "next");
        var other = database.newSession();
        other.execute("begin");
        other.catchUp(1, 1, CatchUp.of(next, -1));
        other.push(new Append(next, 0, Batch.ofSize(1)));

        assertThat(pending(api, first.queueId())).containsExactly(first.name());
        other.execute("commit");
        assertThat(pending(api, first.queueId())).containsExactlyInAnyOrder(first.name(), "next");
    }

    @Test
    void laneWhoseTransactionFailsIsNotFoundAndMayComeAgain() {
        var first = pushedTo(database.newLane());
        var next = database.lane(first.queueId(), first.queue(), "next");
        api.execute("begin");
        api.catchUp(1, 1, CatchUp.of(next, -1));
        api.execute("rollback");

        assertThat(names(first.queueId(), first.name(), 10)).isEmpty();
        api.catchUp(1, 1, CatchUp.of(next, -1));
        assertThat(names(first.queueId(), first.name(), 10)).containsExactly("next");
    }

    @Test
    void whoLooksWithAnOlderSnapshotFindsTheLanesOfThatTime() {
        var lanes = database.newLanes(3);
        lanes.forEach(this::pushedTo);
        var queueId = lanes.getFirst().queueId();
        var before = database.newSession();
        before.execute("begin isolation level repeatable read");
        before.execute("select from queen.queue");

        api.everywhere("delete from partition where id = '" + lanes.getFirst().id() + "'");
        var late = database.lane(queueId, lanes.getFirst().queue(), "late");
        api.catchUp(1, 1, CatchUp.of(late, -1));
        pushedTo(late);

        assertThat(pending(before, queueId)).containsExactlyInAnyOrder("lane-00000", "lane-00001", "lane-00002");
        assertThat(pending(api, queueId)).containsExactlyInAnyOrder("lane-00001", "lane-00002", "late");
    }

    @Test
    void laneIsKnownByOneKeyAndTheSecondOneOfItsIdIsLeftOut() {
        var lane = database.newLane();

        api.in(lane, "select %s.insert_lanes(array['%s'::uuid], array['%s'::uuid], array['another name'])"
                .formatted(api.schema(), lane.id(), lane.queueId()));

        assertThat(api.list(rows -> rows.getString(1), "select name from queen.partition where id = ?", lane.id()))
                .containsExactly(lane.name());
        assertThat(names(lane.queueId(), "", 10)).containsExactly("Default", lane.name());
    }

    private Lane pushedTo(Lane lane) {
        api.push(new Append(lane, 0, Batch.ofSize(1)));
        return lane;
    }

    private static List<String> pending(Api session, UUID queueId) {
        return session.resolve(queueId, "workers", null, "", 10).stream().filter(Resolved::isPending)
                .map(Resolved::name).toList();
    }

    private List<String> names(UUID queueId, String after, int lanes) {
        return api.list(rows -> rows.getString(1),
                "select name from " + api.schema() + ".lane_page(?, ?, " + lanes + ")", queueId, after);
    }
}
