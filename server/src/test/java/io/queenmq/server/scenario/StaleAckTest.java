package io.queenmq.server.scenario;

import static io.queenmq.server.scenario.QueenClient.acknowledgment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.TestShards;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Acks that are late, have no lease, or concern messages that were not delivered. */
class StaleAckTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    /** Only the lease holder finishes a message, and a cursor never moves back. */
    @Nested
    class WithoutTheLease {
        @Test
        void anAckWithoutALeaseOfAnUnleasedMessageIsRejected() {
            queen.push(queue, "a", "1", "2");
            String partitionId = queen.push(queue, "a", "3").list().getFirst().get("partitionId").asText();

            JsonNode acked = ackWithoutLease("2", partitionId);

            assertThat(acked.get("success").asBoolean()).isFalse();
            assertThat(acked.get("error").asText()).isNotEmpty();
            assertThat(queen.pop(queue, "batch=3").transactionIds()).containsExactly("1", "2", "3");
        }

        @Test
        void anAckWithoutALeaseCannotFinishMessagesBeyondTheCurrentLease() {
            queen.push(queue, "a", "1", "2", "3");
            JsonNode held = queen.pop(queue).message();

            JsonNode acked = ackWithoutLease("3", held.get("partitionId").asText());

            assertThat(acked.get("success").asBoolean()).isFalse();
            queen.ack(held, "completed");
            assertThat(queen.pop(queue, "batch=3").transactionIds()).containsExactly("2", "3");
        }

        @Test
        void anAckWithoutALeaseOfAMessageInTheCurrentLeaseIsAccepted() {
            queen.push(queue, "a", "1", "2");
            JsonNode held = queen.pop(queue).message();

            JsonNode acked = ackWithoutLease("1", held.get("partitionId").asText());

            assertThat(acked.get("success").asBoolean()).isTrue();
            assertThat(acked.get("leaseReleased").asBoolean()).isTrue();
            assertThat(queen.pop(queue, "batch=3").transactionIds()).containsExactly("2");
        }

        @Test
        void aRepeatedAckWithoutALeaseSucceedsAndDoesNotMoveTheCursorBack() {
            queen.push(queue, "a", "1", "2", "3");
            Answer popped = queen.pop(queue, "batch=2");
            queen.ackAll(popped, "completed");
            String partitionId = popped.messages().getFirst().get("partitionId").asText();

            JsonNode acked = ackWithoutLease("1", partitionId);

            assertThat(acked.get("success").asBoolean()).isTrue();
            assertThat(queen.pop(queue, "batch=3").transactionIds()).containsExactly("3");
        }

        @Test
        void aRepeatedAckDoesNotChangeTheLeaseOfTheNextHolder() {
            queen.push(queue, "a", "1", "2");
            JsonNode first = queen.pop(queue).message();
            queen.ack(first, "completed");
            JsonNode second = queen.pop(queue).message();

            assertThat(queen.ack(first, "completed").get("success").asBoolean()).isTrue();
            assertThat(queen.ack(first, "failed").get("leaseReleased").asBoolean()).isFalse();

            assertThat(queen.popPartition(queue, "a").isEmpty()).isTrue();
            assertThat(queen.ack(second, "completed").get("leaseReleased").asBoolean()).isTrue();
        }

        @Test
        void aLeaseOfOneGroupDoesNotFinishMessagesOfAnother() {
            queen.push(queue, "a", "1");
            JsonNode held = queen.pop(queue, "consumerGroup=mine").message();
            queen.pop(queue, "consumerGroup=yours");

            JsonNode acked = queen
                    .post("/api/v1/ack", acknowledgment(held, "completed").put("consumerGroup", "yours").toString())
                    .list().getFirst();

            assertThat(acked.get("success").asBoolean()).isFalse();
            assertThat(queen.ack(held, "completed").get("success").asBoolean()).isTrue();
        }

        @Test
        void anAckOfAMissingMessageIsRejected() {
            queen.push(queue, "a", "1");
            JsonNode held = queen.pop(queue).message();

            assertThat(ackWithoutLease("unknown", held.get("partitionId").asText()).get("success").asBoolean())
                    .isFalse();
            assertThat(ackWithoutLease("1", "00000000-0000-4000-8000-000000000000").get("success").asBoolean())
                    .isFalse();
        }

        private JsonNode ackWithoutLease(String transactionId, String partitionId) {
            return queen
                    .post("/api/v1/ack",
                            "{\"transactionId\":\"%s\",\"partitionId\":\"%s\"}".formatted(transactionId, partitionId))
                    .list().getFirst();
        }
    }

    /** The lease of an ack is checked when the ack is applied, not when it is received. */
    @Nested
    class AfterTheLease {
        @Test
        void theAckOfAnExpiredLeaseIsRejectedAndTheMessageRedelivered() {
            queen.push(queue, "a", "1");
            JsonNode late = queen.pop(queue).message();
            server.expireLeases(queue);

            JsonNode acked = queen.ack(late, "completed");

            assertThat(acked.get("success").asBoolean()).isFalse();
            assertThat(queen.popPartition(queue, "a").transactionIds()).containsExactly("1");
        }

        @Test
        void theAckOfAFormerHolderDoesNotAffectTheNewHolder() {
            queen.push(queue, "a", "1", "2");
            JsonNode late = queen.pop(queue).message();
            server.expireLeases(queue);
            JsonNode current = queen.popPartition(queue, "a").message();

            assertThat(queen.ack(late, "completed").get("success").asBoolean()).isFalse();
            assertThat(queen.ack(late, "failed").get("success").asBoolean()).isFalse();

            assertThat(queen.popPartition(queue, "a").isEmpty()).isTrue();
            JsonNode acked = queen.ack(current, "completed");
            assertThat(acked.get("success").asBoolean()).isTrue();
            assertThat(acked.get("leaseReleased").asBoolean()).isTrue();
        }

        @Test
        void anAckThatWaitedForALockUntilItsLeaseExpiredIsRejected() throws SQLException {
            queen.push(queue, "a", "1", "2");
            JsonNode late = queen.pop(queue).message();
            queen.push(queue, "b", "3");
            JsonNode other = queen.popPartition(queue, "b").message();
            CompletableFuture<Answer> acked;
            try (Connection connection = server.database().connect()) {
                connection.setAutoCommit(false);
                TestShards.everywhere(connection,
                        "update cursor set lease_id = gen_random_uuid(),"
                                + " lease_until = clock_timestamp() + interval '1 minute' where partition_id = ?::uuid",
                        late.get("partitionId").asText());
                acked = queen.postLater("/api/v1/ack", acknowledgment(late, "completed").toString());
                assertThat(queen.ack(other, "completed").get("success").asBoolean()).isTrue();
                assertThat(acked).isNotDone();
                connection.commit();
            }

            assertThat(acked.join().list().getFirst().get("success").asBoolean()).isFalse();
            assertThat(server.select("select committed from queen.cursor where partition_id = ?::uuid",
                    late.get("partitionId").asText())).containsExactly("0");
        }
    }
}
