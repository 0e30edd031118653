package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Resolved;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ResolveRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void missingQueueHasNoLane() {
        assertThat(api.resolve(UUID.randomUUID(), GROUP, null, "", 10)).isEmpty();
    }

    @Test
    void everyPendingLaneIsFoundPageByPage() {
        database.assumeOneShard();
        var lanes = database.newLanes(25);
        for (int i = 0; i < 25; i += 3) {
            api.push(new Append(lanes.get(i), 0, Batch.of("a")));
        }

        var found = new ArrayList<String>();
        for (var page = page(lanes, ""); !page.isEmpty(); page = page(lanes, lastNameOf(page))) {
            page.stream().filter(Resolved::isPending).map(Resolved::name).forEach(found::add);
        }

        assertThat(found).containsExactlyInAnyOrder("lane-00000", "lane-00003", "lane-00006", "lane-00009",
                "lane-00012", "lane-00015", "lane-00018", "lane-00021", "lane-00024");
    }

    @Test
    void lastLaneLookedAtIsTheLastRow() {
        database.assumeOneShard();
        var lanes = database.newLanes(5);
        api.push(new Append(lanes.get(0), 0, Batch.of("a")), new Append(lanes.get(2), 0, Batch.of("a")));

        assertThat(page(lanes, "").getLast()).returns("lane-00002", Resolved::name).returns(true, Resolved::isPending);
        assertThat(page(lanes, "lane-00000").getLast()).returns("lane-00004", Resolved::name)
                .returns(false, Resolved::isPending);
    }

    @Test
    void laneTheGroupHasFinishedIsNotPending() {
        var lane = database.newLaneWith(1);
        api.lease(true, Wish.of(lane, GROUP, 1));

        assertThat(api.resolve(lane.queueId(), GROUP, null, "", 10)).extracting(Resolved::isPending)
                .containsOnly(false);
        assertThat(api.resolve(lane.queueId(), "strangers", null, "", 10)).filteredOn(Resolved::isPending)
                .extracting(Resolved::lane).containsExactly(lane.id());
    }

    @Test
    void laneOfWhichEverythingWasRemovedIsNotPending() {
        var lane = database.newLaneWith(2);
        api.everywhere("update partition set tail = 2 where id = '" + lane.id() + "'");

        assertThat(api.resolve(lane.queueId(), GROUP, null, "", 10)).filteredOn(Resolved::isPending).isEmpty();
    }

    @Test
    void heldLaneIsFoundWithTheMomentItMayBeFree() {
        var lane = database.newLaneWith(2);
        api.lease(Wish.of(lane, GROUP, 1));

        assertThat(pending(lane).untilMs()).isBetween(10_000L, 60_000L);

        CursorRow.runOut(api, lane, GROUP);
        assertThat(pending(lane).untilMs()).isNull();
    }

    @Test
    void waitingLaneIsFoundWithTheMomentItIsDue() {
        var lane = database.newLaneWith(1, java.util.Map.of("retry_delay_ms", 60_000));
        var wish = Wish.of(lane, GROUP, 1);
        api.lease(wish);
        api.nack(List.of(Holder.of(wish, "{}")), Api.Failed.of(0));

        assertThat(pending(lane).untilMs()).isBetween(10_000L, 60_000L);
    }

    @Test
    void lanesPushedToSinceAMomentAreFoundWithoutTheOthers() {
        var lanes = database.newLanes(3);
        api.push(new Append(lanes.get(0), 0, Batch.of("a")), new Append(lanes.get(1), 0, Batch.of("a")));
        age(lanes.get(0), "1 hour");

        assertThat(api.resolve(lanes.getFirst().queueId(), GROUP, 300, "", 10))
                .extracting(Resolved::name).containsExactly("lane-00001");
    }

    @Test
    void lanesReadAlreadyDoNotHideThoseThatWereNot() {
        var lanes = database.newLanes(6);
        for (var lane : lanes) {
            api.push(new Append(lane, 0, Batch.of("a")));
            api.openCursors(new Opening(lane.id(), GROUP, null));
        }
        age(lanes.getFirst(), "30 s");
        lanes.stream().skip(1).forEach(lane -> api.lease(true, Wish.of(lane, GROUP, 1)));

        assertThat(api.resolve(lanes.getFirst().queueId(), GROUP, 60, "", 2)).extracting(Resolved::name)
                .containsExactly("lane-00000");
    }

    @Test
    void laneIsFoundThoughItsActivityIsNotedInSteps() {
        var lane = database.newLaneWith(1);
        age(lane, "8 s");

        api.push(new Append(lane, 1, Batch.of("b")));

        assertThat(api.resolve(lane.queueId(), GROUP, 1, "", 10)).extracting(Resolved::lane)
                .containsExactly(lane.id());
    }

    @Test
    void laneWithACursorAtItsHeadIsNotPending() {
        var lane = database.newLaneWith(1);
        api.openCursors(new Opening(lane.id(), "late", OffsetDateTime.now().plusHours(1)));

        assertThat(api.resolve(lane.queueId(), "late", null, "", 10)).filteredOn(Resolved::isPending).isEmpty();
    }

    private List<Resolved> page(List<Lane> lanes, String after) {
        return api.resolve(lanes.getFirst().queueId(), GROUP, null, after, 4);
    }

    private static String lastNameOf(List<Resolved> page) {
        return page.stream().map(Resolved::name).max(String::compareTo).orElseThrow();
    }

    private Resolved pending(Lane lane) {
        return api.resolve(lane.queueId(), GROUP, null, "", 10).stream().filter(Resolved::isPending).findFirst()
                .orElseThrow();
    }

    private void age(Lane lane, String by) {
        api.everywhere("update partition set active_at = now() - interval '" + by + "' where id = '"
                + lane.id() + "'");
    }
}
