package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The responses of extend, configure, delete and health, as clients read them. */
class RouteContractTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Nested
    class Extend {
        @Test
        void theResponseContainsTheNewExpiryUnderEveryName() {
            queen.push(queue, "a", "1");
            String leaseId = queen.pop(queue).leaseId();

            JsonNode answer = queen.extend(leaseId, "{\"seconds\":1000}").json();

            assertThat(answer.get("index").asInt()).isZero();
            assertThat(answer.get("leaseId").asText()).isEqualTo(leaseId);
            assertThat(answer.get("success").asBoolean()).isTrue();
            assertThat(Instant.parse(answer.get("expiresAt").asText())).isBetween(Instant.now().plusSeconds(900),
                    Instant.now().plusSeconds(1100));
            assertThat(answer.get("newExpiresAt")).isEqualTo(answer.get("expiresAt"));
            assertThat(answer.get("lease_expires_at")).isEqualTo(answer.get("expiresAt"));
        }

        @Test
        void aLeaseIsNeverShortened() {
            queen.push(queue, "a", "1");
            String leaseId = queen.pop(queue).leaseId();

            JsonNode answer = queen.extend(leaseId, "{\"seconds\":1}").json();

            assertThat(Instant.parse(answer.get("expiresAt").asText())).isAfter(Instant.now().plusSeconds(200));
        }

        @Test
        void anExpiredLeaseIsNotRenewed() {
            queen.push(queue, "a", "1");
            Answer popped = queen.pop(queue);
            server.expireLeases(queue);
            Answer expired = queen.extend(popped.leaseId(), "{}");

            assertThat(expired.status()).isIn(404, 410);
            assertThat(expired.json().get("error").asText()).isNotEmpty();
            assertThat(queen.popPartition(queue, "a").transactionIds()).containsExactly("1");
        }

        @Test
        void anAckedLeaseIsNotRenewed() {
            queen.push(queue, "a", "1");
            Answer popped = queen.pop(queue);
            queen.ackAll(popped, "completed");

            assertThat(queen.extend(popped.leaseId(), "{}").status()).isIn(404, 410);
        }

        @ParameterizedTest
        @ValueSource(strings = {"nonsense", "{\"seconds\":\"x\"}", "{\"seconds\":-1}"})
        void malformedRequestsAreRejected(String body) {
            queen.push(queue, "a", "1");

            assertThat(queen.extend(queen.pop(queue).leaseId(), body).status()).isEqualTo(400);
        }
    }

    @Nested
    class Configure {
        @Test
        void theResponseContainsAllStoredOptions() {
            String options = "{\"leaseTime\":11,\"retryLimit\":0,\"retryDelay\":13,\"retryBackoff\":1.5,\"delayedProcessing\":14,"
                    + "\"windowBuffer\":15,\"priority\":16,\"maxSize\":17,\"ttl\":18,\"maxWaitTimeSeconds\":19,"
                    + "\"retentionEnabled\":true,\"retentionSeconds\":20,\"completedRetentionSeconds\":21,"
                    + "\"encryptionEnabled\":false,\"deadLetterQueue\":true,\"dlqAfterMaxRetries\":true,"
                    + "\"dedupWindowSeconds\":22}";

            Answer answer = queen.post("/api/v1/configure",
                    "{\"queue\":\"" + queue + "\",\"namespace\":\"n\",\"task\":\"t\",\"options\":" + options + "}");

            assertThat(answer.status()).isEqualTo(200);
            JsonNode json = answer.json();
            assertThat(Answer.fieldsOf(json)).containsExactlyInAnyOrder("configured", "queueId", "partitionId", "queue",
                    "namespace", "task", "options");
            assertThat(json.get("configured").asBoolean()).isTrue();
            assertThat(json.get("queue").asText()).isEqualTo(queue);
            assertThat(json.get("namespace").asText()).isEqualTo("n");
            assertThat(json.get("task").asText()).isEqualTo("t");
            assertThat(json.get("options")).isEqualTo(Answer.parse(options));
        }

        @Test
        void aQueueWithoutOptionsHasTheDefaults() {
            Answer answer = queen.post("/api/v1/configure", "{\"queue\":\"" + queue + "\"}");

            assertThat(answer.json().get("options")).isEqualTo(Answer.parse(
                    "{\"leaseTime\":300,\"retryLimit\":3,\"retryDelay\":1000,\"retryBackoff\":1,\"delayedProcessing\":0,"
                            + "\"windowBuffer\":0,\"priority\":0,\"maxSize\":0,\"ttl\":3600,\"maxWaitTimeSeconds\":0,"
                            + "\"retentionEnabled\":false,\"retentionSeconds\":0,\"completedRetentionSeconds\":0,"
                            + "\"encryptionEnabled\":false,\"deadLetterQueue\":false,\"dlqAfterMaxRetries\":false,"
                            + "\"dedupWindowSeconds\":null}"));
            assertThat(answer.json().get("configured").asBoolean()).isTrue();
        }

        @Test
        void theResponseNamesTheDefaultPartition() {
            JsonNode answer = queen.configure(queue, "{}").json();

            JsonNode stored = queen.push(queue, "Default", "1").list().getFirst();

            assertThat(stored.get("partitionId")).isEqualTo(answer.get("partitionId"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"{}", "{\"queue\":1}", "{\"queue\":\"q\",\"options\":1}",
            "{\"queue\":\"q\",\"options\":{\"leaseTime\":\"long\"}}",
            "{\"queue\":\"q\",\"options\":{\"leaseTime\":-1}}",
            "{\"queue\":\"q\",\"options\":{\"retentionEnabled\":1}}", "{\"queue\":\"a/b\"}"})
        void malformedRequestsAreRejected(String body) {
            assertThat(queen.post("/api/v1/configure", body).status()).isEqualTo(400);
        }
    }

    @Nested
    class Delete {
        @Test
        void deletingAQueueDeletesItsMessages() {
            queen.push(queue, "a", "1");
            queen.pop(queue, "consumerGroup=g");

            Answer answer = queen.delete("/api/v1/resources/queues/" + queue);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.json())
                    .isEqualTo(Answer.parse("{\"deleted\":true,\"queue\":\"" + queue + "\",\"existed\":true}"));
            assertThat(queen.pop(queue).isEmpty()).isTrue();
            assertThat(queen.delete("/api/v1/resources/queues/" + queue).json().get("existed").asBoolean()).isFalse();
        }

        @Test
        void aQueueMayBeCreatedAgainUnderTheSameName() {
            queen.push(queue, "a", "1");
            JsonNode held = queen.pop(queue).message();
            queen.delete("/api/v1/resources/queues/" + queue);

            assertThat(queen.push(queue, "a", "1").each("status")).containsExactly("queued");

            assertThat(queen.pop(queue).transactionIds()).containsExactly("1");
            assertThat(queen.ack(held, "completed").get("success").asBoolean()).isFalse();
        }
    }

    @Nested
    class Health {
        @Test
        void aServerWithItsDatabaseIsHealthy() {
            Answer answer = queen.get("/health");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.json().get("status").asText()).isEqualTo("healthy");
            assertThat(answer.json().get("database").asText()).isEqualTo("connected");
            assertThat(answer.json().get("version").asText()).isNotEmpty();
        }
    }
}
