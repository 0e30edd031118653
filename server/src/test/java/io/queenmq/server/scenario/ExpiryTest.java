package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages older than the limit of their queue are not delivered, also before upkeep removes them. */
class ExpiryTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("EVICTION_INTERVAL", "86400000"));

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @ParameterizedTest
    @ValueSource(strings = {"maxWaitTimeSeconds", "ttl"})
    void anExpiredMessageIsNotDelivered(String option) {
        queen.configure(queue, "{\"" + option + "\":100}");
        queen.push(queue, "a", "old-1", "old-2");
        queen.pop(queue, "consumerGroup=g", "autoAck=true");
        server.age(queue, 101);
        queen.push(queue, "a", "young");

        assertThat(queen.pop(queue, "consumerGroup=g", "batch=9").transactionIds()).containsExactly("young");
        assertThat(server.deadLetters(queue)).isEmpty();
    }

    @Test
    void anExpiredMessageIsDeadLetteredIfTheQueueHasADeadLetterQueue() {
        queen.configure(queue, "{\"ttl\":100,\"deadLetterQueue\":true}");
        queen.push(queue, "a", "old");
        assertThat(queen.popPartition(queue, "b").isEmpty()).isTrue();
        queen.ackAll(queen.popPartition(queue, "a"), "retry");
        server.age(queue, 101);

        assertThat(queen.popPartition(queue, "a").isEmpty()).isTrue();

        assertThat(server.deadLetters(queue)).containsExactly("old 0");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3600})
    void theTtlThatClientsSendByDefaultHasNoEffect(int ttl) {
        queen.configure(queue, "{\"ttl\":" + ttl + "}");
        queen.push(queue, "a", "old");
        server.age(queue, 100_000);

        assertThat(queen.pop(queue, "wait=true", "timeout=60000").transactionIds()).containsExactly("old");
    }

    @Test
    void allExpiredMessagesAreSkippedAlsoIfOneCallDoesNotSkipAll() {
        queen.configure(queue, "{\"maxWaitTimeSeconds\":100}");
        for (int i = 0; i < 250; i++) {
            queen.push(queue, "a", "old-" + i);
        }
        queen.popPartition(queue, "a", "autoAck=true");
        server.age(queue, 101);
        queen.push(queue, "a", "young");

        assertThat(queen.pop(queue, "batch=9", "wait=true", "timeout=60000").transactionIds()).containsExactly("young");
    }
}
