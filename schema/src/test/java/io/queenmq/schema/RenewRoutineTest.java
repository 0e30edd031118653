package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Renewal;
import io.queenmq.schema.Api.Renewed;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RenewRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void nothingRenewedGivesNoRow() {
        assertThat(api.renew()).isEmpty();
    }

    @Test
    void liveLeaseLastsLonger() {
        var lane = database.newLaneWith(1);
        var wish = Wish.of(lane, GROUP, 1);
        api.lease(wish);

        var renewed = api.renew(new Renewal(wish.lease(), 600)).getFirst();

        assertThat(renewed.untilAt()).isCloseTo(OffsetDateTime.now().plusMinutes(10), within(1, ChronoUnit.MINUTES));
        assertThat(CursorRow.of(api, lane, GROUP).leaseUntil()).isEqualTo(renewed.untilAt());
    }

    @Test
    void leaseIsNeverShortened() {
        var lane = database.newLaneWith(1);
        var wish = Wish.of(lane, GROUP, 1).forSeconds(600);
        api.lease(wish);
        var until = CursorRow.of(api, lane, GROUP).leaseUntil();

        assertThat(api.renew(new Renewal(wish.lease(), 1))).containsExactly(new Renewed(1, until, false));
    }

    @Test
    void expiredLeaseIsNotRenewed() {
        var lane = database.newLaneWith(1);
        var wish = Wish.of(lane, GROUP, 1);
        api.lease(wish);
        CursorRow.runOut(api, lane, GROUP);
        var before = CursorRow.of(api, lane, GROUP);

        assertThat(api.renew(new Renewal(wish.lease(), 60))).isEmpty();
        assertThat(CursorRow.of(api, lane, GROUP)).isEqualTo(before);
    }

    @Test
    void unknownLeaseGivesNoRow() {
        assertThat(api.renew(new Renewal(UUID.randomUUID(), 60))).isEmpty();
    }

    @Test
    void everyLaneOfTheLeaseLastsLonger() {
        var lanes = database.newLanesTogether(3);
        var lease = lanes.getFirst().newLeaseId();
        for (var lane : lanes) {
            api.push(new Append(lane, 0, Batch.ofSize(1)));
            api.openCursors(new Api.Opening(lane.id(), GROUP, null));
            api.lease(Wish.of(lane, GROUP, 9).as(lease));
        }

        var renewed = api.renew(new Renewal(lease, 600));

        assertThat(renewed).hasSize(1);
        assertThat(lanes).allSatisfy(lane -> assertThat(CursorRow.of(api, lane, GROUP).leaseUntil())
                .isAfterOrEqualTo(renewed.getFirst().untilAt()));
    }

    @Test
    void leasesAreAnsweredByPosition() {
        var dead = Wish.of(database.newLaneWith(1), GROUP, 1).forSeconds(0);
        var live = Wish.of(database.newLaneWith(1), GROUP, 1);
        api.lease(dead, live);

        assertThat(api.renew(new Renewal(dead.lease(), 60), new Renewal(live.lease(), 60)))
                .extracting(Renewed::index).containsExactly(2);
    }
}
