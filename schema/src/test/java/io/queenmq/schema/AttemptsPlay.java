package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Reader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Lanes, deliveries and crashes for the tests of attempts. */
class AttemptsPlay {
    static final String GROUP = "workers";
    static final int BATCH = 100;

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    final Api api = database.api();

    int crashesUntilDone(Lane lane, long poison) {
        int crashes = 0;
        for (var next = lease(lane); next != null; next = lease(lane)) {
            if (next.has(poison)) {
                runOut(lane);
                crashes++;
            } else {
                finish(next);
            }
        }
        return crashes;
    }

    /** What one delivery brought. */
    record Delivery(Wish wish, Given given, List<Long> offsets) {
        boolean has(long offset) {
            return offsets.contains(offset);
        }
    }

    Lane lane(int messages, int retryLimit) {
        var lane = database.newLaneWith(messages, Map.of("retry_limit", retryLimit, "retry_delay_ms", 0));
        api.subscribe(GROUP, lane.queue(), "", "", "all", null);
        return lane;
    }

    /** Fills each lane and lets the group in; answers a lease id that was made for the first of them. */
    UUID open(List<Lane> lanes, int messages) {
        for (var lane : lanes) {
            api.push(new Append(lane, 0, Batch.ofSize(messages)));
            api.openCursors(new Opening(lane.id(), GROUP, null));
        }
        return lanes.getFirst().newLeaseId();
    }

    /** The next delivery of up to a hundred; null when there is none. */
    Delivery lease(Lane lane) {
        var wish = Wish.of(lane, GROUP, BATCH);
        var given = api.lease(wish).getFirst();
        if (!given.isLeased()) {
            return null;
        }
        return new Delivery(wish, given, api.list(rows -> rows.getLong(1), """
                select o
                from queen.cursor c
                cross join lateral generate_series(c.committed, c.lease_end - 1) o
                where c.partition_id = ? and c.group_name = ? and not coalesce(c.acked @> o, false)
                order by o""", lane.id(), GROUP));
    }

    /** The next delivery, of as many messages as these. */
    Delivery whole(Lane lane, int messages) {
        var next = lease(lane);
        assertThat(next.offsets).containsExactlyElementsOf(LongStream.range(0, messages).boxed().toList());
        return next;
    }

    void failAll(Delivery delivery) {
        api.nack(List.of(Holder.of(delivery.wish, "{}")),
                delivery.offsets.stream().map(Failed::of).toArray(Failed[]::new));
    }

    void finish(Delivery delivery) {
        ack(delivery, delivery.offsets.stream().mapToLong(Long::longValue).toArray());
    }

    void ack(Delivery delivery, long... offsets) {
        var ranges = Arrays.stream(offsets).mapToObj(offset -> "[" + offset + "," + (offset + 1) + ")").toList();
        assertThat(api.ack(Holder.of(delivery.wish, "{" + String.join(",", ranges) + "}")).getFirst().isLive())
                .isTrue();
    }

    void runOut(Lane lane) {
        CursorRow.runOut(api, lane, GROUP);
        assertThat(api.expire(new Reader(lane.id(), GROUP))).hasSize(1);
    }

    void release(Lane lane) {
        assertThat(api.release(new Holder(lane.id(), GROUP, CursorRow.of(api, lane, GROUP).lease(), null))).hasSize(1);
    }

    /** The runs of messages that failed, with their attempts. */
    List<String> failures(Lane lane) {
        return api.list(rows -> rows.getString(1), """
                select message_offset || '+' || message_count || ': ' || attempts
                from queen.failure
                where partition_id = ? and group_name = ?
                order by message_offset""", lane.id(), GROUP);
    }

    void assertEnds(Lane lane, long messages, List<Long> dead) {
        assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::offset).containsExactlyElementsOf(dead);
        assertThat(CursorRow.of(api, lane, GROUP)).returns(messages, CursorRow::committed)
                .returns((long) dead.size(), CursorRow::dead).returns(messages - dead.size(), CursorRow::completed)
                .returns(false, CursorRow::isFailing).returns(true, CursorRow::isFree);
        assertThat(failures(lane)).isEmpty();
    }
}
