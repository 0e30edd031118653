package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A consumer fails 10,000 messages of one partition with one request. A quadratic step would exceed the statement timeout. */
class LargeFailedBatchTest {
    private static final int MESSAGES = 10_000;
    private static final int PER_PUSH = 1_000;

    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("DB_STATEMENT_TIMEOUT", "5000", "MAX_CALLS_IN_FLIGHT",
            "1", "QUEEN_ENCRYPTION_KEY", "00".repeat(32)));

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theBatchFailsUntilEveryMessageIsADeadLetter(boolean isEncrypted) {
        configure(9, isEncrypted);
        push();

        fail(0, new Random(1));
        fail(1, null);
        // A message with its last attempt is leased alone, so the limit is lowered while all messages are leased.
        Answer popped = popAll();
        configure(0, isEncrypted);
        Answer acked = queen.ackAll(popped, "failed");

        assertThat(acked.status()).isEqualTo(200);
        assertThat(acked.each("dlq")).hasSize(MESSAGES).containsOnly("true");
        assertThat(server.deadLetters(queue)).hasSize(MESSAGES).contains("0 3", "9999 3");
        assertThat(queen.popPartition(queue, "a", "consumerGroup=g").isEmpty()).isTrue();
    }

    private void fail(int failuresBefore, Random shuffle) {
        Answer popped = popAll();
        assertThat(popped.messages().getFirst().get("retryCount").asInt()).isEqualTo(failuresBefore);
        List<JsonNode> items = new ArrayList<>();
        popped.messages().forEach(message -> items.add(QueenClient.acknowledgment(message, "failed")));
        if (shuffle != null) {
            Collections.shuffle(items, shuffle);
        }
        Answer acked = queen.ackBatch("g", items.toArray(JsonNode[]::new));
        assertThat(acked.status()).isEqualTo(200);
        assertThat(acked.each("success")).hasSize(MESSAGES).containsOnly("true");
    }

    private Answer popAll() {
        Answer popped = queen.popPartition(queue, "a", "consumerGroup=g", "batch=" + MESSAGES);
        assertThat(popped.messages()).hasSize(MESSAGES);
        return popped;
    }

    private void push() {
        for (int base = 0; base < MESSAGES; base += PER_PUSH) {
            String[] ids = new String[PER_PUSH];
            for (int i = 0; i < PER_PUSH; i++) {
                ids[i] = Integer.toString(base + i);
            }
            queen.push(queue, "a", ids);
        }
    }

    private void configure(int retryLimit, boolean isEncrypted) {
        assertThat(
                queen.configure(queue, "{\"leaseTime\":600,\"retryLimit\":%d,\"retryDelay\":0,\"encryptionEnabled\":%b}"
                        .formatted(retryLimit, isEncrypted)).status())
                .isEqualTo(200);
    }
}
