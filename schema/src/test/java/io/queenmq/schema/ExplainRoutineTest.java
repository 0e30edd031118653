package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** explain_lane and explain_message: one test for each thing that may keep a message from being delivered. */
class ExplainRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Nested
    class OfALane {
        @Test
        void ready() {
            var lane = database.newLaneWith(3);

            assertThat(lane(lane, "state")).isEqualTo("ready");
            assertThat(lane(lane, "position")).isEqualTo("0");
            assertThat(lane(lane, "pending")).isEqualTo("3");
            assertThat(lane(lane, "reason")).isEqualTo("Ready: the next pop gets the message.");
        }

        @Test
        void empty() {
            assertThat(lane(database.newLane(), "state", "__QUEUE_MODE__")).isEqualTo("empty");
        }

        @Test
        void leased() {
            var lane = database.newLaneWith(3);
            var held = Wish.of(lane, GROUP, 2);
            api.lease(held);

            assertThat(lane(lane, "state")).isEqualTo("leased");
            assertThat(lane(lane, "leaseId")).isEqualTo(held.lease().toString());
            assertThat(lane(lane, "until")).endsWith("Z");
            assertThat(lane(lane, "processing")).isEqualTo("2");
            assertThat(lane(lane, "reason")).contains(held.lease().toString());
        }

        @Test
        void readyAgainAfterALeaseThatRanOut() {
            var lane = database.newLaneWith(3);
            api.lease(Wish.of(lane, GROUP, 2));
            CursorRow.runOut(api, lane, GROUP);

            assertThat(lane(lane, "state")).isEqualTo("ready");
            assertThat(lane(lane, "reason")).startsWith("Ready: the lease ran out");
        }

        @Test
        void delayed() {
            var lane = database.newLaneWith(1, Map.of("delayed_processing_s", 60));

            assertThat(lane(lane, "state")).isEqualTo("delayed");
            assertThat(lane(lane, "until")).isNotNull();
            age(lane, 61);
            assertThat(lane(lane, "state")).isEqualTo("ready");
        }

        @Test
        void inItsWindow() {
            var lane = database.newLaneWith(1, Map.of("window_buffer_s", 60));

            assertThat(lane(lane, "state")).isEqualTo("window");
            assertThat(lane(lane, "until")).isNotNull();
            age(lane, 61);
            assertThat(lane(lane, "state")).isEqualTo("ready");
        }

        @Test
        void retrying() {
            var lane = database.newLaneWith(2, Map.of("retry_delay_ms", 60_000));
            fail(lane, 0);

            assertThat(lane(lane, "state")).isEqualTo("retrying");
            assertThat(lane(lane, "attempts")).isEqualTo("1");
            assertThat(lane(lane, "error")).isEqualTo("boom");
            assertThat(lane(lane, "reason")).contains("failed 1 time(s)").contains("boom").doesNotContain("alone");
        }

        @Test
        void retryingForTheLastTime() {
            var lane = database.newLaneWith(2, Map.of("retry_delay_ms", 60_000, "retry_limit", 1));
            fail(lane, 0);

            assertThat(lane(lane, "reason")).contains("failed 1 time(s)").contains("alone and for the last time");
        }

        @Test
        void readyForTheLastTime() {
            var lane = database.newLaneWith(2, Map.of("retry_delay_ms", 0, "retry_limit", 1));
            fail(lane, 0);

            assertThat(lane(lane, "state")).isEqualTo("ready");
            assertThat(lane(lane, "reason")).contains("failed 1 time(s)").contains("alone, for the last time");
        }

        @Test
        void pushedToLatelyBehindALeaseThatRanOut() {
            var lane = database.newLaneWith(2, Map.of("window_buffer_s", 60));
            age(lane, 61);
            api.lease(Wish.of(lane, GROUP, 1));
            CursorRow.runOut(api, lane, GROUP);
            assertThat(lane(lane, "state")).isEqualTo("ready");

            api.push(new Append(lane, 2, Batch.ofSize(1)));

            assertThat(lane(lane, "state")).isEqualTo("window");
        }

        @Test
        void exhausted() {
            var lane = database.newLaneWith(2, Map.of("retry_limit", 1));
            fail(lane, 0);
            api.everywhere("update cursor set retry_at = null where partition_id = '" + lane.id() + "'");
            api.lease(Wish.of(lane, GROUP, 2));
            CursorRow.runOut(api, lane, GROUP);

            assertThat(lane(lane, "state")).isEqualTo("ready");
            assertThat(lane(lane, "position")).as("the first one becomes a dead letter").isEqualTo("1");
            assertThat(lane(lane, "reason")).contains("last attempt of message 0", "the message behind it");
        }

        @Test
        void expired() {
            var lane = database.newLaneWith(2, Map.of("max_wait_time_s", 60));
            api.openCursors(new Api.Opening(lane.id(), GROUP, null));
            age(lane, 61);

            assertThat(lane(lane, "state")).isEqualTo("expired");
            assertThat(lane(lane, "expired")).isEqualTo("2");
            assertThat(lane(lane, "pending")).isEqualTo("2");
            assertThat(lane(lane, "reason")).contains("2 message(s) waited longer than 60 seconds", "drop them");

            api.push(new Append(lane, 2, Batch.ofSize(1)));
            assertThat(lane(lane, "state")).isEqualTo("ready");
            assertThat(lane(lane, "position")).isEqualTo("2");
            assertThat(lane(lane, "reason")).contains("2 message(s) waited longer than 60 seconds", "drops them");
        }

        @Test
        void whatExpiredBeforeAGroupSubscribedIsNotItsConcern() {
            var lane = database.newLaneWith(2, Map.of("max_wait_time_s", 60));
            age(lane, 61);
            api.push(new Append(lane, 2, Batch.ofSize(1)));
            api.subscribe("late", lane.queue(), "", "", "all", null);

            assertThat(lane(lane, "position", "late")).isEqualTo("2");
            assertThat(lane(lane, "expired", "late")).isEqualTo("0");
            assertThat(lane(lane, "pending", "late")).isEqualTo("1");
        }

        @Test
        void closedForMaintenance() {
            var lane = database.newLaneWith(1);
            api.operate("{}", "set_maintenance", "me", "pop", true);
            try {
                assertThat(lane(lane, "state")).isEqualTo("maintenance");
                assertThat(lane(lane, "reason")).contains("switched off for maintenance");
                assertThat(lane(database.newLane(), "state", "__QUEUE_MODE__")).isEqualTo("empty");
            } finally {
                api.operate("{}", "set_maintenance", "me", "pop", false);
            }
            assertThat(lane(lane, "state")).isEqualTo("ready");
        }

        @Test
        void pausedByWhom() {
            var lane = database.newLaneWith(1);
            api.operate("{}", "pause_lane", "me", lane.id(), true);
            assertThat(lane(lane, "reason")).isEqualTo("The lane is paused.");

            api.operate("{}", "pause_group", "me", GROUP, lane.queue(), true);
            assertThat(lane(lane, "reason")).isEqualTo("The group is paused on this queue.");
            assertThat(lane(lane, "since")).isNotNull();

            api.operate("{}", "pause_queue", "me", lane.queue(), true);
            assertThat(lane(lane, "state")).isEqualTo("paused");
            assertThat(lane(lane, "pausedBy")).isEqualTo("queue");
        }

        @Test
        void unsubscribed() {
            var lane = database.newLaneWith(1);

            assertThat(lane(lane, "state", "strangers")).isEqualTo("unsubscribed");
            api.subscribe("strangers", lane.queue(), "", "", "all", null);
            assertThat(lane(lane, "state", "strangers")).isEqualTo("ready");
        }

        @Test
        void aGroupThatHasNotComeToTheLaneBeginsWhereItsSubscriptionSays() {
            var lane = database.newLaneWith(2);
            age(lane, 600);
            api.push(new Append(lane, 2, Batch.ofSize(3)));
            api.subscribe("late", "", "", "", "timestamp", OffsetDateTime.now().minusSeconds(300));

            assertThat(lane(lane, "position", "late")).isEqualTo("2");
            assertThat(lane(lane, "pending", "late")).isEqualTo("3");
        }

        @Test
        void messagesAckedOutOfOrderOrRemovedAreNotPending() {
            var lane = database.newLaneWith(6);
            var held = Wish.of(lane, GROUP, 6);
            api.lease(held);
            api.ack(Holder.of(held, "{[2,3)}"));
            api.everywhere("update partition set removed = '{[0,2),[4,5)}' where id = '" + lane.id() + "'");

            assertThat(lane(lane, "position")).isEqualTo("3");
            assertThat(lane(lane, "pending")).isEqualTo("2");
        }

        @Test
        void aLaneThatDoesNotExist() {
            assertThat(api.operate("{state}", "explain_lane", UUID.randomUUID(), GROUP)).isNull();
        }

        private String lane(Lane lane, String field) {
            return lane(lane, field, GROUP);
        }

        private String lane(Lane lane, String field, String group) {
            return api.operate("{" + field + "}", "explain_lane", lane.id(), group);
        }
    }

    @Nested
    class OfAMessage {
        private final Lane lane = database.newLane(Map.of("retry_delay_ms", 60_000));

        OfAMessage() {
            api.push(new Append(lane, 0, Batch.of("a", "b")));
            api.push(new Append(lane, 2, Batch.of("c", "d")));
            api.everywhere("""
                    update segment
                    set hashes = int8send(hashtextextended(case base when 0 then 'a' else 'c' end, 0))
                              || int8send(hashtextextended(case base when 0 then 'b' else 'd' end, 0))
                    where partition_id = '%s'""".formatted(lane.id()));
            api.openCursors(new Api.Opening(lane.id(), GROUP, null));
        }

        @Test
        void theNextOneIsExplainedAsItsLane() {
            assertThat(message("a", "state")).isEqualTo("ready");
            assertThat(message("a", "offset")).isEqualTo("0");
            assertThat(message("a", "ahead")).isEqualTo("0");
        }

        @Test
        void behindOthers() {
            fail(lane, 0);

            assertThat(message("d", "state")).isEqualTo("behind");
            assertThat(message("d", "ahead")).isEqualTo("3");
            assertThat(message("d", "blockedBy,state")).isEqualTo("retrying");
            assertThat(message("d", "blockedBy,error")).isEqualTo("boom");
        }

        @Test
        void eachWithItsOwnAttempts() {
            var held = Wish.of(lane, GROUP, 4);
            api.lease(held);
            api.nack(List.of(Holder.of(held, "{}")), Failed.of(0), new Failed(1, 2, "failed", "worse"));

            assertThat(message("a", "attempts")).isEqualTo("1");
            assertThat(message("b", "attempts")).isEqualTo("0");
            assertThat(message("c", "attempts")).isEqualTo("1");
            assertThat(message("c", "error")).isEqualTo("worse");
            api.everywhere("update cursor set retry_at = null where partition_id = '" + lane.id() + "'");
            api.everywhere("update failure set retry_at = null where partition_id = '" + lane.id() + "'");
            api.lease(Wish.of(lane, GROUP, 4));
            assertThat(message("c", "state")).isEqualTo("leased");
            assertThat(message("c", "attempts")).isEqualTo("1");
            assertThat(message("d", "attempts")).isEqualTo("0");
        }

        @Test
        void leased() {
            api.lease(Wish.of(lane, GROUP, 3));

            assertThat(message("c", "state")).isEqualTo("leased");
            assertThat(message("c", "leaseId")).isNotNull();
            assertThat(message("d", "state")).isEqualTo("behind");
        }

        @Test
        void finished() {
            var held = Wish.of(lane, GROUP, 4);
            api.lease(held);
            api.ack(Holder.of(held, "{[0,1),[2,3)}"));

            assertThat(message("a", "state")).isEqualTo("finished");
            assertThat(message("c", "state")).isEqualTo("finished");
            assertThat(message("b", "state")).isEqualTo("leased");
        }

        @Test
        void deadLettered() {
            var held = Wish.of(lane, GROUP, 4);
            api.lease(held);
            api.nack(List.of(Holder.of(held, "{}")), new Failed(1, 0, "dlq", "bad"));

            assertThat(message("a", "state")).isEqualTo("dead_lettered");
            assertThat(message("a", "error")).isEqualTo("bad");
            api.everywhere("update partition set tail = 2 where id = '" + lane.id() + "'");
            api.everywhere("delete from segment where base < 2 and partition_id = '" + lane.id() + "'");
            assertThat(message("a", "state")).isEqualTo("dead_lettered");
        }

        @Test
        void removed() {
            api.everywhere("update partition set removed = '{[1,2)}' where id = '" + lane.id() + "'");

            assertThat(message("b", "state")).isEqualTo("removed");
        }

        @Test
        void expired() {
            api.everywhere("update partition set tail = 3 where id = '" + lane.id() + "'");

            assertThat(message("c", "state")).isEqualTo("expired");
            assertThat(message("d", "state")).isEqualTo("ready");
        }

        @Test
        void unknown() {
            assertThat(message("z", "state")).isNull();
        }

        private String message(String transactionId, String path) {
            return api.operate("{" + path + "}", "explain_message", lane.id(), transactionId, GROUP);
        }
    }

    private void fail(Lane lane, long offset) {
        var held = Wish.of(lane, GROUP, 1);
        api.lease(held);
        api.nack(List.of(Holder.of(held, "{}")), Failed.of(offset));
    }

    private void age(Lane lane, int seconds) {
        api.everywhere("update segment set created_at = created_at - interval '" + seconds
                + " s' where partition_id = '" + lane.id() + "'");
        api.everywhere("update partition set last_push_at = last_push_at - interval '" + seconds + " s' where id = '"
                + lane.id() + "'");
    }
}
