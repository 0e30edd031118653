package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lanes to which a group comes for the first time are given to it as any others, and written once for it. */
class LeaseNewLanesTest {
    private static final int PLAYS = 150;
    private static final long SEED = 18;

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void cursorBeginsWithItsLease() {
        var lanes = database.newLanesTogether(3);
        lanes.forEach(lane -> api.push(new Append(lane, 0, Batch.ofSize(1))));
        var leaseId = lanes.getFirst().newLeaseId();

        var given = api.leaseAnew(null, lanes.stream().map(lane -> Wish.of(lane, "new", 10).as(leaseId))
                .toArray(Wish[]::new));

        assertThat(given).hasSize(3).allMatch(Given::isLeased);
        assertThat(writesOf("new", lanes)).containsOnly(0L);
        assertThat(lanesOf(leaseId)).containsExactlyInAnyOrderElementsOf(lanes.stream().map(Lane::id).toList());
    }

    /** One group comes to lanes it has no cursor in; another one had its cursors opened before. Nobody can tell them apart. */
    @Test
    void newLanesAreGivenAsOthersAre() {
        var random = new Random(SEED);
        for (int play = 0; play < PLAYS; play++) {
            var lanes = database.newLanesTogether(1 + random.nextInt(5));
            lanes.forEach(lane -> fill(lane, random));
            // Some lanes are known to both groups.
            openings("new", lanes.stream().filter(_ -> random.nextInt(8) == 0).toList());
            openings("known", lanes);
            int batch = 1 + random.nextInt(8);
            int laneLimit = 1 + random.nextInt(lanes.size());
            int delay = random.nextInt(10) == 0 ? 60 : 0;
            int perLease = 1 + random.nextInt(lanes.size());
            boolean isAutoAck = random.nextInt(4) == 0;
            Long byteRoom = random.nextBoolean() ? null : 100L + random.nextInt(1500);

            var ofNew = api.leaseAnew(isAutoAck, byteRoom, wishes(lanes, "new", batch, laneLimit, delay, perLease));
            var ofKnown = api.lease(isAutoAck, byteRoom, wishes(lanes, "known", batch, laneLimit, delay, perLease));

            assertThat(ofNew).as("play %d", play).usingRecursiveFieldByFieldElementComparatorIgnoringFields("untilMs")
                    .isEqualTo(ofKnown);
            assertThat(placesOf("new", lanes)).as("play %d", play).isEqualTo(placesOf("known", lanes));
        }
    }

    /** A group that subscribed before the messages expired and reads the partition for the first time. */
    @ParameterizedTest
    @CsvSource({"false,false", "false,true", "true,false", "true,true"})
    void expiredMessagesAreNotLeasedWithANewCursor(boolean isAutoAck, boolean hasDeadLetters) {
        var lane = expiringLane(hasDeadLetters, 2);
        api.push(new Append(lane, 2, Batch.ofSize(3)));

        var given = api.leaseAnew(isAutoAck, null, Wish.of(lane, "new", 10));

        assertThat(given).hasSize(1).allMatch(Given::isLeased).first().returns(2L, Given::first).returns(5L,
                Given::end);
        assertThat(CursorRow.of(api, lane, "new")).returns(hasDeadLetters ? 2L : 0L, CursorRow::dead)
                .returns(hasDeadLetters ? 0L : 2L, CursorRow::expired);
        assertThat(DeadLetter.of(api, lane)).hasSize(hasDeadLetters ? 2 : 0);
    }

    @Test
    void partitionWithOnlyExpiredMessagesIsEmptyForANewCursor() {
        var lane = expiringLane(true, 2);

        assertThat(api.leaseAnew(null, Wish.of(lane, "new", 10))).extracting(Given::status).containsExactly("empty");
        assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::group).containsOnly("new").hasSize(2);
    }

    /** The other partitions of the lease id are leased in the same call. */
    @Test
    void freshPartitionsAreLeasedBesideAnExpiredOne() {
        var lanes = database.newLanesTogether(2, expiring(true));
        var stale = lanes.getFirst();
        var fresh = lanes.getLast();
        expire(stale, 1);
        api.push(new Append(fresh, 0, Batch.ofSize(1)));
        var leaseId = stale.newLeaseId();

        var given = api.leaseAnew(null, Wish.of(stale, "new", 10).as(leaseId), Wish.of(fresh, "new", 10).as(leaseId));

        assertThat(given).extracting(Given::status).containsExactly("empty", "leased");
    }

    /** More messages expired than one call removes: the cursor exists, and the caller evicts the rest before it leases. */
    @Test
    void partitionWithTooManyExpiredMessagesIsNotLeased() {
        var lane = expiringLane(false, 1500);
        api.push(new Append(lane, 1500, Batch.ofSize(1)));

        assertThat(api.leaseAnew(null, Wish.of(lane, "new", 10))).isEmpty();

        assertThat(CursorRow.of(api, lane, "new")).returns(1000L, CursorRow::committed);
        assertThat(api.evict(new Reader(lane.id(), "new"))).isEmpty();
        assertThat(api.lease(Wish.of(lane, "new", 10)).getFirst()).returns(1500L, Given::first);
    }

    /** A partition whose messages are older than its queue allows, and a group that subscribed before they were pushed. */
    private Lane expiringLane(boolean hasDeadLetters, int messages) {
        var lane = database.newLane(expiring(hasDeadLetters));
        expire(lane, messages);
        return lane;
    }

    private static Map<String, Object> expiring(boolean hasDeadLetters) {
        return Map.of("max_wait_time_s", 100, "dead_letter_queue", hasDeadLetters);
    }

    private void expire(Lane lane, int messages) {
        api.subscribe("new", lane.queue(), "", "", "all", null);
        api.execute("update queen.subscription set subscribed_at = subscribed_at - interval '1000 s'"
                + " where queue_name = '" + lane.queue() + "'");
        api.push(new Append(lane, 0, Batch.ofSize(messages)));
        new Upkeep(api).age(lane, 101);
    }

    private void fill(Lane lane, Random random) {
        int head = 0;
        for (int i = random.nextInt(4); i > 0; i--) {
            int messages = 1 + random.nextInt(4);
            api.push(new Append(lane, head, Batch.ofSize(messages)));
            head += messages;
        }
        int unusual = random.nextInt(12);
        if (unusual == 0) {
            api.everywhere("update partition set is_paused = true where id = '" + lane.id() + "'");
        } else if (unusual == 1 && head > 1) {
            api.everywhere("update partition set removed = '{[1,2)}' where id = '" + lane.id() + "'");
        } else if (unusual == 2 && head > 1) {
            api.everywhere("update partition set tail = 1 where id = '" + lane.id() + "'");
        } else if (unusual == 3) {
            api.everywhere("update partition set largest_line = null where id = '" + lane.id() + "'");
        }
    }

    private void openings(String group, List<Lane> lanes) {
        api.openCursors(lanes.stream().map(lane -> new Opening(lane.id(), group, null)).toArray(Opening[]::new));
    }

    /** So many lanes after each other ask under one lease id. */
    private static Wish[] wishes(List<Lane> lanes, String group, int batch, int laneLimit, int delay, int perLease) {
        var wishes = new ArrayList<Wish>();
        UUID leaseId = null;
        for (int i = 0; i < lanes.size(); i++) {
            leaseId = i % perLease == 0 ? lanes.get(i).newLeaseId() : leaseId;
            wishes.add(Wish.of(lanes.get(i), group, batch).withLaneLimit(laneLimit).delayedBy(delay).as(leaseId));
        }
        return wishes.toArray(Wish[]::new);
    }

    private List<String> placesOf(String group, List<Lane> lanes) {
        return lanes.stream().flatMap(lane -> column(
                "select row(committed, acked, lease_id is null, lease_end, is_alone, completed_count, last_ack_at is null)::text"
                        + " from queen.cursor where partition_id = ? and group_name = ?",
                lane, group)).toList();
    }

    private Stream<String> column(String sql, Lane lane, String group) {
        return api.list(rows -> rows.getString(1), sql, lane.id(), group).stream();
    }

    private List<Long> writesOf(String group, List<Lane> lanes) {
        return lanes.stream().flatMap(lane -> column(
                "select writes from queen.cursor where partition_id = ? and group_name = ?", lane, group))
                .map(Long::valueOf).toList();
    }

    private List<UUID> lanesOf(UUID leaseId) {
        return api.list(rows -> rows.getObject(1, UUID.class),
                "select unnest(partition_ids) from queen.lease_lanes where lease_id = ?", leaseId);
    }
}
