package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Opening;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** D9: one pop is given no more bytes than it has room for, and always at least one message. */
class D9LeaseBytesTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noMoreMessagesAreGivenThanHaveRoom(boolean isAutoAck) {
        var lane = laneOf(10, 1000);
        int line = line(1000).length() + 1;

        var given = lease(isAutoAck, 3L * line + 1, Wish.of(lane, GROUP, 100));

        assertThat(given).returns(0L, Given::first).returns(3L, Given::end).returns(3L * line, Given::bytes);
        if (isAutoAck) {
            assertThat(lease(true, 3L * line, Wish.of(lane, GROUP, 100))).returns(3L, Given::first).returns(6L,
                    Given::end);
        }
    }

    @Test
    void oneMessageIsGivenHoweverLargeItIs() {
        var lane = laneOf(3, 5000);

        assertThat(lease(false, 10L, Wish.of(lane, GROUP, 100))).returns(0L, Given::first).returns(1L, Given::end);
    }

    @Test
    void aLaneWithOneLargeMessageGivesItsSmallOnesTogether() {
        var lane = laneOf(1, 50_000);
        for (int i = 1; i <= 20; i++) {
            api.push(new Append(lane, i, Batch.of("small")));
        }

        assertThat(lease(true, 10_000L, Wish.of(lane, GROUP, 100))).returns(1L, Given::end);
        assertThat(lease(true, 10_000L, Wish.of(lane, GROUP, 100))).returns(1L, Given::first).returns(21L, Given::end);
    }

    @Test
    void aSegmentOfManyMessagesIsDividedByTheirMeanSize() {
        var lane = database.newLane();
        api.push(new Append(lane, 0, Batch.ofLines(Collections.nCopies(10, line(1000)))));
        api.openCursors(new Opening(lane.id(), GROUP, null));
        int line = line(1000).length() + 1;

        assertThat(lease(true, 4L * line, Wish.of(lane, GROUP, 100))).returns(4L, Given::end);
        assertThat(lease(true, 100L * line, Wish.of(lane, GROUP, 100))).returns(4L, Given::first).returns(10L,
                Given::end);
    }

    @Test
    void lanesOfOneLeaseShareTheRoom() {
        var lanes = database.newLanesTogether(3);
        lanes.forEach(lane -> fill(lane, 4, 1000));
        long line = line(1000).length() + 1;
        UUID lease = lanes.getFirst().newLeaseId();

        var given = api.lease(false, 10 * line, Wish.of(lanes.getFirst(), GROUP, 100).as(lease),
                Wish.of(lanes.get(1), GROUP, 100).as(lease), Wish.of(lanes.get(2), GROUP, 100).as(lease));

        assertThat(given).extracting(Given::status).containsExactly("leased", "leased", "spared");
        assertThat(given).extracting(Given::bytes).startsWith(4 * line, 4 * line);
    }

    @Test
    void ofALaneWhoseLargestMessageIsNotKnownTheSegmentsAreLookedAt() {
        var lane = laneOf(10, 1000);
        api.everywhere("update partition set largest_line = null where id = '" + lane.id() + "'");
        long line = line(1000).length() + 1;

        assertThat(lease(true, 3 * line, Wish.of(lane, GROUP, 100))).returns(3L, Given::end);
        api.push(new Append(lane, 10, Batch.of("small")));
        assertThat(largest(lane)).isNull();
    }

    @Test
    void theLargestMessageIsForgottenWhenNothingIsKeptOfTheLane() {
        var lane = laneOf(1, 50_000);
        api.everywhere("update partition set tail = head where id = '" + lane.id() + "'");

        api.push(new Append(lane, 1, Batch.of("small")));

        assertThat(largest(lane)).isEqualTo(Batch.of("small").body().length);
        api.push(new Append(lane, 2, Batch.of("x")));
        assertThat(largest(lane)).isEqualTo(Batch.of("small").body().length);
    }

    @Test
    void aMessagePushedInATransactionOfTheUserCounts() {
        var lane = laneOf(1, 10);
        api.execute("select queen.push(q.name, p.name, '\"" + "x".repeat(5000)
                + "\"', 't2') from queen.partition p join queen.queue q on q.id = p.queue_id where p.id = '" + lane.id()
                + "'");

        assertThat(largest(lane)).isBetween(5000, 5300);
    }

    private Given lease(boolean isAutoAck, Long byteRoom, Wish wish) {
        return api.lease(isAutoAck, byteRoom, wish).getFirst();
    }

    private Integer largest(Lane lane) {
        return api.list(rows -> rows.getObject(1, Integer.class),
                "select largest_line from queen.partition where id = ?", lane.id()).getFirst();
    }

    private Lane laneOf(int messages, int bytes) {
        var lane = database.newLane();
        fill(lane, messages, bytes);
        return lane;
    }

    private void fill(Lane lane, int messages, int bytes) {
        for (int i = 0; i < messages; i++) {
            api.push(new Append(lane, i, Batch.ofLines(List.of(line(bytes)))));
        }
        api.openCursors(new Opening(lane.id(), GROUP, null));
    }

    private static String line(int bytes) {
        return Batch.line("\"t\"", "null", "null", "\"" + "x".repeat(bytes) + "\"");
    }
}
