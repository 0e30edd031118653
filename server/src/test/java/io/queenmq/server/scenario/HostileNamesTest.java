package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every route treats names and errors that contain SQL, patterns or escapes as values. */
class HostileNamesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String bystander = server.newQueue();

    @ParameterizedTest
    @ValueSource(strings = {"'; delete from queen.queue; --", "\" or 1=1 --", "$$; drop schema queen cascade; $$",
        "a\\'b", "%", "_", "%%%s{0}${x}", "' || pg_sleep(60) || '", "{\"$ne\":1}", "\u202eeman"})
    void aNameIsTreatedAsAValue(String name) throws Exception {
        queen.push(bystander, "p", "kept");
        String queue = "q" + name;

        assertThat(queen
                .post("/api/v1/configure", JSON.writeValueAsString(
                        Map.of("queue", queue, "namespace", name, "task", name, "options", Map.of("retryLimit", 0))))
                .status()).isLessThan(300);
        assertThat(queen.post("/api/v1/push", JSON.writeValueAsString(Map.of("items",
                IntStream.range(0, 2).mapToObj(
                        i -> Map.of("queue", queue, "partition", name, "transactionId", name + i, "payload", name))
                        .toList())))
                .status()).isEqualTo(201);
        Answer popped = queen.popPartition(queue, name, "batch=1", "consumerGroup=" + QueenClient.encode(name));
        JsonNode message = popped.messages().getFirst();
        assertThat(message.get("transactionId").asText()).isEqualTo(name + "0");
        assertThat(message.get("data").asText()).isEqualTo(name);
        assertThat(queen.ackBatch(name, QueenClient.acknowledgment(message, "failed").put("error", name)).status())
                .isEqualTo(200);

        String encoded = QueenClient.encode(name).replace("+", "%20");
        String path = QueenClient.encode(queue).replace("+", "%20");
        assertThat(
                queen.get("/api/v1/dlq?queue=" + path + "&error=" + encoded).json().findValuesAsText("transactionId"))
                .containsExactly(name + "0");
        assertThat(queen.get("/api/v1/messages?queue=" + path + "&partition=" + encoded).json()
                .findValuesAsText("transactionId")).contains(name + "1").allMatch(id -> id.startsWith(name));
        assertThat(queen.get("/api/v1/resources/queues/" + path).json().get("name").asText()).isEqualTo(queue);
        assertThat(queen
                .post("/api/v1/consumer-groups/" + encoded + "/queues/" + path + "/partitions/" + encoded + "/seek",
                        "{\"toEnd\":true}")
                .status()).isEqualTo(200);
        assertThat(queen.delete("/api/v1/consumer-groups/" + encoded + "/queues/" + path).status()).isEqualTo(200);
        assertThat(queen.get("/api/v1/system/audit?target=" + encoded).status()).isEqualTo(200);
        assertThat(queen.delete("/api/v1/resources/queues/" + path).status()).isEqualTo(200);

        assertThat(queen.pop(bystander, "batch=10").messages()).extracting(each -> each.get("transactionId").asText())
                .containsExactly("kept");
    }

    @Test
    void aPatternInAFilterMatchesOnlyItself() {
        queen.push(bystander, "p", "1");

        for (String filter : List.of("%25", "_", "'%20or%20'1'='1")) {
            assertThat(queen.get("/api/v1/messages?queue=" + filter).json().findValuesAsText("transactionId"))
                    .isEmpty();
            assertThat(queen.get("/api/v1/dlq?queue=" + filter).json().findValuesAsText("transactionId")).isEmpty();
        }
    }
}
