package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pops by namespace and task. */
class PriorityTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String namespace = "n" + System.nanoTime();

    @Test
    void queuesOfHigherPriorityAreServedFirst() {
        configure("low", "t", -1);
        configure("high", "t", 10);
        configure("middle", "t", 0);
        for (String queue : List.of("low", "high", "middle")) {
            queen.push(namespace + queue, "a", queue);
        }

        List<String> order = Stream.generate(() -> queen.get("/api/v1/pop?namespace=" + namespace)).limit(3)
                .flatMap(answer -> answer.transactionIds().stream()).toList();

        assertThat(order).containsExactly("high", "middle", "low");
    }

    @Test
    void oneResponseMaySpanQueuesInOrderOfPriority() {
        configure("low", "t", 1);
        configure("high", "t", 2);
        // The backlogs of both queues are loaded, so that the next pop finds all later pushes.
        assertThat(queen.get("/api/v1/pop?namespace=" + namespace).isEmpty()).isTrue();
        // One response contains messages of one shard only.
        queen.push(namespace + "low", server.database().partitionsTogether(namespace + "low", 1).getFirst(), "l1",
                "l2");
        queen.push(namespace + "high", server.database().partitionsTogether(namespace + "high", 1).getFirst(), "h1",
                "h2");

        Answer answer = queen.get("/api/v1/pop?namespace=" + namespace + "&batch=3&partitions=5");

        assertThat(answer.transactionIds()).containsExactly("h1", "h2", "l1");
        assertThat(answer.messages()).allMatch(message -> message.get("leaseId").asText().equals(answer.leaseId()));
        assertThat(queen.ackAll(answer, "completed").each("success")).containsOnly("true");
    }

    @Test
    void namespaceAndTaskMustBothMatch() {
        configure("one", "t", 0);
        configure("two", "u", 0);
        queen.push(namespace + "one", "a", "1");
        queen.push(namespace + "two", "a", "2");

        assertThat(queen.get("/api/v1/pop?namespace=" + namespace + "&task=v").isEmpty()).isTrue();
        assertThat(queen.get("/api/v1/pop?namespace=" + namespace + "&task=u").transactionIds()).containsExactly("2");
        assertThat(queen.get("/api/v1/pop?namespace=" + namespace + "&task=t").transactionIds()).containsExactly("1");
        assertThat(queen.get("/api/v1/pop?namespace=unknown").isEmpty()).isTrue();
    }

    @Test
    void aNewPriorityAppliesImmediately() {
        configure("one", "t", 0);
        configure("two", "t", 5);
        queen.push(namespace + "one", "a", "1");
        queen.push(namespace + "two", "a", "2");

        configure("one", "t", 9);

        assertThat(queen.get("/api/v1/pop?namespace=" + namespace).transactionIds()).containsExactly("1");
    }

    private void configure(String queue, String task, int priority) {
        queen.post("/api/v1/configure",
                "{\"queue\":\"%s%s\",\"namespace\":\"%s\",\"task\":\"%s\",\"options\":{\"priority\":%d}}"
                        .formatted(namespace, queue, namespace, task, priority));
    }
}
