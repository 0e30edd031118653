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

/** explain_partition and explain_message: one test for each reason why a message is not delivered. */
class ExplainRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Nested
    class OfAPartition {
        @Test
        void ready() {
            var partition = database.newPartitionWith(3);

            assertThat(partition(partition, "state")).isEqualTo("ready");
            assertThat(partition(partition, "position")).isEqualTo("0");
            assertThat(partition(partition, "pending")).isEqualTo("3");
            assertThat(partition(partition, "reason")).isEqualTo("Ready: the next pop gets the message.");
        }

        @Test
        void empty() {
            assertThat(partition(database.newPartition(), "state", "__QUEUE_MODE__")).isEqualTo("empty");
        }

        @Test
        void leased() {
            var partition = database.newPartitionWith(3);
            var held = LeaseRequest.of(partition, GROUP, 2);
            api.lease(held);

            assertThat(partition(partition, "state")).isEqualTo("leased");
            assertThat(partition(partition, "leaseId")).isEqualTo(held.lease().toString());
            assertThat(partition(partition, "until")).endsWith("Z");
            assertThat(partition(partition, "processing")).isEqualTo("2");
            assertThat(partition(partition, "reason")).contains(held.lease().toString())
                    .contains("No server reports this lease");

            api.list(rows -> rows.getInt(1), "select * from " + api.schema()
                    + ".report_presence(?, array[(select name from queen.queue where id = ?)], array[?], array[0],"
                    + " array[1], array[60000::bigint], '{}', '{}', '{}')", UUID.randomUUID(), partition.queueId(),
                    GROUP);
            assertThat(partition(partition, "reason")).doesNotContain("No server");
        }

        @Test
        void readyAgainAfterALeaseThatRanOut() {
            var partition = database.newPartitionWith(3);
            api.lease(LeaseRequest.of(partition, GROUP, 2));
            CursorRow.runOut(api, partition, GROUP);

            assertThat(partition(partition, "state")).isEqualTo("ready");
            assertThat(partition(partition, "reason")).startsWith("Ready: the lease expired");
        }

        @Test
        void delayed() {
            var partition = database.newPartitionWith(1, Map.of("delayed_processing_s", 60));

            assertThat(partition(partition, "state")).isEqualTo("delayed");
            assertThat(partition(partition, "until")).isNotNull();
            age(partition, 61);
            assertThat(partition(partition, "state")).isEqualTo("ready");
        }

        @Test
        void inItsWindow() {
            var partition = database.newPartitionWith(1, Map.of("window_buffer_s", 60));

            assertThat(partition(partition, "state")).isEqualTo("window");
            assertThat(partition(partition, "until")).isNotNull();
            age(partition, 61);
            assertThat(partition(partition, "state")).isEqualTo("ready");
        }

        @Test
        void retrying() {
            var partition = database.newPartitionWith(2, Map.of("retry_delay_ms", 60_000));
            fail(partition, 0);

            assertThat(partition(partition, "state")).isEqualTo("retrying");
            assertThat(partition(partition, "attempts")).isEqualTo("1");
            assertThat(partition(partition, "error")).isEqualTo("boom");
            assertThat(partition(partition, "reason")).contains("failed 1 time(s)").contains("boom")
                    .doesNotContain("alone");
        }

        @Test
        void retryingForTheLastTime() {
            var partition = database.newPartitionWith(2, Map.of("retry_delay_ms", 60_000, "retry_limit", 1));
            fail(partition, 0);

            assertThat(partition(partition, "reason")).contains("failed 1 time(s)")
                    .contains("alone and for the last time");
        }

        @Test
        void readyForTheLastTime() {
            var partition = database.newPartitionWith(2, Map.of("retry_delay_ms", 0, "retry_limit", 1));
            fail(partition, 0);

            assertThat(partition(partition, "state")).isEqualTo("ready");
            assertThat(partition(partition, "reason")).contains("failed 1 time(s)")
                    .contains("alone, for the last time");
        }

        @Test
        void recentlyPushedBehindAnExpiredLease() {
            var partition = database.newPartitionWith(2, Map.of("window_buffer_s", 60));
            age(partition, 61);
            api.lease(LeaseRequest.of(partition, GROUP, 1));
            CursorRow.runOut(api, partition, GROUP);
            assertThat(partition(partition, "state")).isEqualTo("ready");

            api.push(new Append(partition, 2, Batch.ofSize(1)));

            assertThat(partition(partition, "state")).isEqualTo("window");
        }

        @Test
        void exhausted() {
            var partition = database.newPartitionWith(2, Map.of("retry_limit", 1));
            fail(partition, 0);
            api.everywhere("update cursor set retry_at = null where partition_id = '" + partition.id() + "'");
            api.lease(LeaseRequest.of(partition, GROUP, 2));
            CursorRow.runOut(api, partition, GROUP);

            assertThat(partition(partition, "state")).isEqualTo("ready");
            assertThat(partition(partition, "position")).as("the first one becomes a dead letter").isEqualTo("1");
            assertThat(partition(partition, "reason")).contains("last attempt of message 0", "the message after it");
        }

        @Test
        void expired() {
            var partition = database.newPartitionWith(2, Map.of("max_wait_time_s", 60));
            api.openCursors(new Api.Opening(partition.id(), GROUP, null));
            age(partition, 61);

            assertThat(partition(partition, "state")).isEqualTo("expired");
            assertThat(partition(partition, "expired")).isEqualTo("2");
            assertThat(partition(partition, "pending")).isEqualTo("2");
            assertThat(partition(partition, "reason")).contains("2 message(s) waited longer than 60 seconds",
                    "drop them");

            api.push(new Append(partition, 2, Batch.ofSize(1)));
            assertThat(partition(partition, "state")).isEqualTo("ready");
            assertThat(partition(partition, "position")).isEqualTo("2");
            assertThat(partition(partition, "reason")).contains("2 message(s) waited longer than 60 seconds",
                    "drops them");
        }

        @Test
        void messagesExpiredBeforeTheSubscriptionAreIgnored() {
            var partition = database.newPartitionWith(2, Map.of("max_wait_time_s", 60));
            age(partition, 61);
            api.push(new Append(partition, 2, Batch.ofSize(1)));
            api.subscribe("after expiry", partition.queue(), "", "", "all", null);

            assertThat(partition(partition, "position", "after expiry")).isEqualTo("2");
            assertThat(partition(partition, "expired", "after expiry")).isEqualTo("0");
            assertThat(partition(partition, "pending", "after expiry")).isEqualTo("1");
        }

        @Test
        void closedForMaintenance() {
            var partition = database.newPartitionWith(1);
            api.operate("{}", "set_maintenance", "me", "pop", true);
            try {
                assertThat(partition(partition, "state")).isEqualTo("maintenance");
                assertThat(partition(partition, "reason")).contains("switched off for maintenance");
                assertThat(partition(database.newPartition(), "state", "__QUEUE_MODE__")).isEqualTo("empty");
            } finally {
                api.operate("{}", "set_maintenance", "me", "pop", false);
            }
            assertThat(partition(partition, "state")).isEqualTo("ready");
        }

        @Test
        void pausedBy() {
            var partition = database.newPartitionWith(1);
            api.operate("{}", "pause_partition", "me", partition.id(), true);
            assertThat(partition(partition, "reason")).isEqualTo("The partition is paused.");

            api.operate("{}", "pause_group", "me", GROUP, partition.queue(), true);
            assertThat(partition(partition, "reason")).isEqualTo("The group is paused on this queue.");
            assertThat(partition(partition, "since")).isNotNull();

            api.operate("{}", "pause_queue", "me", partition.queue(), true);
            assertThat(partition(partition, "state")).isEqualTo("paused");
            assertThat(partition(partition, "pausedBy")).isEqualTo("queue");
        }

        @Test
        void unsubscribed() {
            var partition = database.newPartitionWith(1);

            assertThat(partition(partition, "state", "strangers")).isEqualTo("unsubscribed");
            api.subscribe("strangers", partition.queue(), "", "", "all", null);
            assertThat(partition(partition, "state", "strangers")).isEqualTo("ready");
        }

        @Test
        void groupWithoutACursorStartsAtItsSubscription() {
            var partition = database.newPartitionWith(2);
            age(partition, 600);
            api.push(new Append(partition, 2, Batch.ofSize(3)));
            api.subscribe("late", "", "", "", "timestamp", OffsetDateTime.now().minusSeconds(300));

            assertThat(partition(partition, "position", "late")).isEqualTo("2");
            assertThat(partition(partition, "pending", "late")).isEqualTo("3");
        }

        @Test
        void messagesAckedOutOfOrderOrRemovedAreNotPending() {
            var partition = database.newPartitionWith(6);
            var held = LeaseRequest.of(partition, GROUP, 6);
            api.lease(held);
            api.ack(Holder.of(held, "{[2,3)}"));
            api.everywhere("update partition set removed = '{[0,2),[4,5)}' where id = '" + partition.id() + "'");

            assertThat(partition(partition, "position")).isEqualTo("3");
            assertThat(partition(partition, "pending")).isEqualTo("2");
        }

        @Test
        void aPartitionThatDoesNotExist() {
            assertThat(api.operate("{state}", "explain_partition", UUID.randomUUID(), GROUP)).isNull();
        }

        private String partition(Partition partition, String field) {
            return partition(partition, field, GROUP);
        }

        private String partition(Partition partition, String field, String group) {
            return api.operate("{" + field + "}", "explain_partition", partition.id(), group);
        }
    }

    @Nested
    class OfAMessage {
        private final Partition partition = database.newPartition(Map.of("retry_delay_ms", 60_000));

        OfAMessage() {
            api.push(new Append(partition, 0, Batch.of("a", "b")));
            api.push(new Append(partition, 2, Batch.of("c", "d")));
            api.everywhere("""
                    update segment
                    set hashes = int8send(hashtextextended(case base when 0 then 'a' else 'c' end, 0))
                              || int8send(hashtextextended(case base when 0 then 'b' else 'd' end, 0))
                    where partition_id = '%s'""".formatted(partition.id()));
            api.openCursors(new Api.Opening(partition.id(), GROUP, null));
        }

        @Test
        void theNextOneIsExplainedAsItsPartition() {
            assertThat(message("a", "state")).isEqualTo("ready");
            assertThat(message("a", "offset")).isEqualTo("0");
            assertThat(message("a", "ahead")).isEqualTo("0");
        }

        @Test
        void behindOthers() {
            fail(partition, 0);

            assertThat(message("d", "state")).isEqualTo("behind");
            assertThat(message("d", "ahead")).isEqualTo("3");
            assertThat(message("d", "blockedBy,state")).isEqualTo("retrying");
            assertThat(message("d", "blockedBy,error")).isEqualTo("boom");
        }

        @Test
        void eachWithItsOwnAttempts() {
            var held = LeaseRequest.of(partition, GROUP, 4);
            api.lease(held);
            api.nack(List.of(Holder.of(held, "{}")), Failed.of(0), new Failed(1, 2, "failed", "worse"));

            assertThat(message("a", "attempts")).isEqualTo("1");
            assertThat(message("b", "attempts")).isEqualTo("0");
            assertThat(message("c", "attempts")).isEqualTo("1");
            assertThat(message("c", "error")).isEqualTo("worse");
            api.everywhere("update cursor set retry_at = null where partition_id = '" + partition.id() + "'");
            api.everywhere("update failure set retry_at = null where partition_id = '" + partition.id() + "'");
            api.lease(LeaseRequest.of(partition, GROUP, 4));
            assertThat(message("c", "state")).isEqualTo("leased");
            assertThat(message("c", "attempts")).isEqualTo("1");
            assertThat(message("d", "attempts")).isEqualTo("0");
        }

        @Test
        void leased() {
            api.lease(LeaseRequest.of(partition, GROUP, 3));

            assertThat(message("c", "state")).isEqualTo("leased");
            assertThat(message("c", "leaseId")).isNotNull();
            assertThat(message("d", "state")).isEqualTo("behind");
        }

        @Test
        void finished() {
            var held = LeaseRequest.of(partition, GROUP, 4);
            api.lease(held);
            api.ack(Holder.of(held, "{[0,1),[2,3)}"));

            assertThat(message("a", "state")).isEqualTo("finished");
            assertThat(message("c", "state")).isEqualTo("finished");
            assertThat(message("b", "state")).isEqualTo("leased");
        }

        @Test
        void deadLettered() {
            var held = LeaseRequest.of(partition, GROUP, 4);
            api.lease(held);
            api.nack(List.of(Holder.of(held, "{}")), new Failed(1, 0, "dlq", "bad"));

            assertThat(message("a", "state")).isEqualTo("dead_lettered");
            assertThat(message("a", "error")).isEqualTo("bad");
            api.everywhere("update partition set tail = 2 where id = '" + partition.id() + "'");
            api.everywhere("delete from segment where base < 2 and partition_id = '" + partition.id() + "'");
            assertThat(message("a", "state")).isEqualTo("dead_lettered");
        }

        @Test
        void removed() {
            api.everywhere("update partition set removed = '{[1,2)}' where id = '" + partition.id() + "'");

            assertThat(message("b", "state")).isEqualTo("removed");
        }

        @Test
        void expired() {
            api.everywhere("update partition set tail = 3 where id = '" + partition.id() + "'");

            assertThat(message("c", "state")).isEqualTo("expired");
            assertThat(message("d", "state")).isEqualTo("ready");
        }

        @Test
        void unknown() {
            assertThat(message("z", "state")).isNull();
        }

        private String message(String transactionId, String path) {
            return api.operate("{" + path + "}", "explain_message", partition.id(), transactionId, GROUP);
        }
    }

    private void fail(Partition partition, long offset) {
        var held = LeaseRequest.of(partition, GROUP, 1);
        api.lease(held);
        api.nack(List.of(Holder.of(held, "{}")), Failed.of(offset));
    }

    private void age(Partition partition, int seconds) {
        api.everywhere("update segment set created_at = created_at - interval '" + seconds
                + " s' where partition_id = '" + partition.id() + "'");
        api.everywhere("update partition set last_push_at = last_push_at - interval '" + seconds + " s' where id = '"
                + partition.id() + "'");
    }
}
