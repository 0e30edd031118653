package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The outcomes of batches in which some messages failed. */
class FailedBatchTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    /** The first message of a batch that fails repeatedly is not lost. */
    @Nested
    class WholeBatchFails {
        @Test
        void everyMessageIsDeadLetteredAfterAllItsAttempts() {
            queen.configure(queue, "{\"retryLimit\":2,\"retryDelay\":0}");
            queen.push(queue, "a", "1", "2", "3");

            List<String> delivered = nackEverything();

            assertThat(server.deadLetters(queue)).containsExactlyInAnyOrder("1 3", "2 3", "3 3");
            assertThat(delivered).hasSize(9).containsOnly("1", "2", "3");
        }

        @Test
        void noMessageIsDeadLetteredBeforeItFailedTwiceWithARetryLimitOfOne() {
            queen.configure(queue, "{\"retryLimit\":1,\"retryDelay\":0}");
            queen.push(queue, "a", "1", "2");

            Answer first = queen.ackAll(queen.pop(queue, "batch=2"), "failed");

            assertThat(first.each("dlq")).containsExactly("false", "false");
            assertThat(queen.pop(queue, "batch=2").transactionIds()).containsExactly("1");
            assertThat(server.deadLetters(queue)).isEmpty();
        }

        @Test
        void withARetryLimitOfZeroTheFirstFailureIsTheLast() {
            queen.configure(queue, "{\"retryLimit\":0,\"retryDelay\":0}");
            queen.push(queue, "a", "1", "2");

            Answer acked = queen.ackAll(queen.pop(queue, "batch=2"), "failed");

            assertThat(acked.each("dlq")).containsExactly("true", "true");
            assertThat(server.deadLetters(queue)).containsExactly("1 1", "2 1");
            assertThat(queen.pop(queue).isEmpty()).isTrue();
        }

        private List<String> nackEverything() {
            List<String> delivered = new ArrayList<>();
            Answer popped = queen.pop(queue, "batch=10");
            while (!popped.isEmpty()) {
                delivered.addAll(popped.transactionIds());
                queen.ackAll(popped, "failed");
                popped = queen.pop(queue, "batch=10");
            }
            return delivered;
        }
    }

    /** A message that failed in the middle of a batch is redelivered. */
    @Nested
    class MixedBatch {
        @Test
        void onlyTheFailedMessageIsRedelivered() {
            queen.configure(queue, "{\"retryDelay\":0}");
            queen.push(queue, "a", "1", "2", "3", "4");
            Answer popped = queen.pop(queue, "batch=4");

            Answer acked = queen.ackEach(popped, "completed", "failed", "completed", "completed");

            assertThat(acked.each("success")).containsOnly("true");
            Answer again = queen.pop(queue, "batch=4");
            assertThat(again.transactionIds()).containsExactly("2");
            assertThat(again.message().get("retryCount").asInt()).isOne();
            queen.ackAll(again, "completed");
            assertThat(queen.pop(queue, "batch=4").isEmpty()).isTrue();
        }

        @Test
        void unfinishedMessagesAreRedeliveredInOrderWithTheFailedOne() {
            queen.configure(queue, "{\"retryDelay\":0}");
            queen.push(queue, "a", "1", "2", "3", "4");
            Answer popped = queen.pop(queue, "batch=4");

            queen.ackEach(popped, "completed", "failed");

            Answer rest = queen.pop(queue, "batch=4");
            assertThat(rest.transactionIds()).containsExactly("2", "3", "4");
            assertThat(rest.messages()).extracting(message -> message.get("retryCount").asInt()).containsExactly(1, 0,
                    0);
        }

        @Test
        void aDeadLetteredMessageDoesNotAffectOthers() {
            queen.push(queue, "a", "1", "2", "3");

            Answer acked = queen.ackEach(queen.pop(queue, "batch=3"), "completed", "dlq", "completed");

            assertThat(acked.each("dlq")).containsExactly("false", "true", "false");
            assertThat(server.deadLetters(queue)).containsExactly("2 1");
            assertThat(queen.pop(queue).isEmpty()).isTrue();
        }

        @Test
        void aMessageWithStatusRetryIsRedeliveredWithoutCountingAnAttempt() {
            queen.configure(queue, "{\"retryLimit\":0,\"retryDelay\":0}");
            queen.push(queue, "a", "1");

            for (int i = 0; i < 5; i++) {
                Answer popped = queen.pop(queue);
                assertThat(popped.message().get("retryCount").asInt()).isZero();
                assertThat(queen.ackAll(popped, "retry").each("success")).containsExactly("true");
            }

            assertThat(server.deadLetters(queue)).isEmpty();
        }
    }

    /** An ack finishes one message, and not the messages before it. */
    @Nested
    class AckOutOfOrder {
        @Test
        void unackedMessagesAreRedeliveredAfterTheLeaseExpires() {
            queen.push(queue, "a", "1", "2", "3");
            Answer popped = queen.pop(queue, "batch=3");
            queen.ack(popped.messages().get(2), "completed");

            server.expireLeases(queue);

            Answer again = queen.popPartition(queue, "a", "batch=3");
            assertThat(again.transactionIds()).containsExactly("1", "2");
        }

        @Test
        void theLeaseEndsWithTheLastAckInAnyOrder() {
            queen.push(queue, "a", "1", "2", "3");
            List<JsonNode> messages = queen.pop(queue, "batch=3").messages();

            assertThat(queen.ack(messages.get(2), "completed").get("leaseReleased").asBoolean()).isFalse();
            assertThat(queen.ack(messages.get(0), "completed").get("leaseReleased").asBoolean()).isFalse();
            assertThat(queen.ack(messages.get(1), "completed").get("leaseReleased").asBoolean()).isTrue();

            assertThat(queen.pop(queue).isEmpty()).isTrue();
        }
    }
}
