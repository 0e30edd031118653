package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Subscription;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SubscribeRoutineTest {
    private static final OffsetDateTime NOON = OffsetDateTime.of(2025, 1, 1, 12, 0, 0, 0, ZoneOffset.UTC);

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void firstSubscriptionStaysInForce() {
        assertThat(subscribe("g", "later", "timestamp", NOON)).isEqualTo(new Subscription("timestamp", NOON));

        assertThat(subscribe("g", "later", "new", null)).isEqualTo(new Subscription("timestamp", NOON));
        assertThat(subscribe("other", "later", "all", null)).isEqualTo(new Subscription("all", null));
    }

    @Test
    void newStartsAtTheHeadOfEveryLaneThereIs() {
        var lane = database.newLaneWith(3);
        subscribe("newcomers", lane.queue(), "new", null);

        api.push(new Append(lane, 3, Batch.of("after")));
        api.openCursors(new Opening(lane.id(), "newcomers", null));

        assertThat(api.lease(Wish.of(lane, "newcomers", 10)).getFirst()).returns(3L, Given::first)
                .returns(4L, Given::end);
    }

    @Test
    void newReadsLaterLanesFromTheirBeginning() {
        var lane = database.newLane();
        subscribe("newcomers", lane.queue(), "new", null);

        api.push(new Append(lane, 0, Batch.of("after")));
        api.openCursors(new Opening(lane.id(), "newcomers", null));

        assertThat(api.lease(Wish.of(lane, "newcomers", 10)).getFirst().first()).isZero();
    }

    @Test
    void repeatedSubscriptionMovesNoCursor() {
        var lane = database.newLaneWith(1);
        subscribe("newcomers", lane.queue(), "new", null);
        api.push(new Append(lane, 1, Batch.of("after")));

        subscribe("newcomers", lane.queue(), "new", null);

        assertThat(CursorRow.of(api, lane, "newcomers").committed()).isEqualTo(1);
    }

    @Test
    void cursorThatExistsBeatsTheSubscription() {
        var lane = database.newLaneWith(2);

        subscribe("workers", lane.queue(), "new", null);

        assertThat(CursorRow.of(api, lane, "workers").committed()).isZero();
    }

    @Test
    void namespaceAndTaskReachTheirQueuesOnly() {
        var wanted = database.newLaneWith(1, Map.of("namespace", "shop", "task", "mail"));
        var otherTask = database.newLaneWith(1, Map.of("namespace", "shop", "task", "bill"));
        var otherNamespace = database.newLaneWith(1, Map.of("namespace", "bank", "task", "mail"));

        api.subscribe("by-both", "", "shop", "mail", "new", null);
        api.subscribe("by-namespace", "", "shop", "", "new", null);

        assertThat(hasCursor(wanted, "by-both")).isTrue();
        assertThat(hasCursor(otherTask, "by-both")).isFalse();
        assertThat(hasCursor(otherNamespace, "by-both")).isFalse();
        assertThat(hasCursor(otherTask, "by-namespace")).isTrue();
        assertThat(hasCursor(otherNamespace, "by-namespace")).isFalse();
    }

    private Subscription subscribe(String group, String queue, String mode, OffsetDateTime fromAt) {
        return api.subscribe(group, queue, "", "", mode, fromAt);
    }

    private boolean hasCursor(Lane lane, String group) {
        return Rows.number(api.connection(),
                "select count(*) from queen.cursor where partition_id = ? and group_name = ?", lane.id(), group) == 1;
    }
}
