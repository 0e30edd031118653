package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.auth.TestTokens;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The role of producers and consumers must not change options that remove messages or protection. */
class OptionRightsTest {
    private static final String REDRIVE = "/api/v1/dlq/redrive";
    /** The options of the JavaScript client, which it sends whenever an application starts. */
    private static final String ALL = """
            {"leaseTime":%d,"retryLimit":3,"priority":0,"delayedProcessing":0,"windowBuffer":0,"maxSize":0,
             "retentionSeconds":0,"completedRetentionSeconds":0,"encryptionEnabled":false,"ttl":3600,"retryDelay":1000,
             "deadLetterQueue":false,"dlqAfterMaxRetries":false,"maxWaitTimeSeconds":0,"retentionEnabled":false}""";

    @RegisterExtension
    static final QueenServer server = QueenServer.with(
            Map.of("JWT_ENABLED", "true", "JWT_SECRET", TestTokens.SECRET, "QUEEN_ENCRYPTION_KEY", "0f".repeat(32)));

    private final QueenClient admin = as("admin");
    private final QueenClient producer = as("read-write");
    private final String queue = server.newQueue();

    @ParameterizedTest
    @ValueSource(strings = {"{\"retentionSeconds\":1}", "{\"completedRetentionSeconds\":1}",
        "{\"maxWaitTimeSeconds\":1}", "{\"ttl\":1}", "{\"encryptionEnabled\":false}", "{\"deadLetterQueue\":false}",
        "{\"maxSize\":1}", "{\"dedupWindowSeconds\":0}"})
    void aProducerCannotSetRemovingOptions(String options) {
        admin.configure(queue, "{\"encryptionEnabled\":true,\"deadLetterQueue\":true}");
        push(2);
        String option = options.substring(2, options.indexOf("\":"));

        Answer rejected = producer.configure(queue, options);

        assertThat(rejected.status()).isEqualTo(403);
        assertThat(rejected.json().get("error").asText()).contains("\"" + option + "\" from ", "\"" + queue + "\"",
                "admin", "leave the option out");
        assertThat(admin.configure(queue, options).status()).isEqualTo(200);
        assertThat(producer.configure(queue, options).status()).as("the present value").isEqualTo(200);
    }

    @Test
    void aProducerMayRepeatTheConfigurationOfItsQueues() {
        assertThat(producer.configure(queue, ALL.formatted(300)).status()).isEqualTo(200);
        push(1);
        assertThat(producer.configure(queue, ALL.formatted(300)).status()).as("unchanged").isEqualTo(200);
        assertThat(producer.configure(queue, ALL.formatted(60)).json().at("/options/leaseTime").asInt()).isEqualTo(60);

        String own = server.newQueue();
        String removing = "{\"retentionSeconds\":60,\"ttl\":9,\"maxSize\":5,\"dedupWindowSeconds\":0}";
        assertThat(producer.configure(own, removing).status()).as("a new queue").isEqualTo(200);
        assertThat(producer.configure(own, removing).status()).as("repeated").isEqualTo(200);
    }

    @Test
    void aQueueCreatedByAPushIsProtected() {
        push(1);

        assertThat(producer.configure(queue, "{\"retentionSeconds\":60}").status()).isEqualTo(403);
        assertThat(producer.configure(queue, "{\"retryLimit\":9}").status()).isEqualTo(200);
    }

    @Test
    void aRejectedConfigureChangesNothingOfItsOtherOptions() {
        push(1);

        producer.configure(queue, "{\"retryLimit\":9,\"retentionSeconds\":1}");

        assertThat(admin.configure(queue, "{}").json().at("/options/retryLimit").asInt()).isEqualTo(3);
        assertThat(server.select("select retention_enabled::text from queen.queue where name = ?", queue))
                .containsExactly("false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{\"queue\":null}", "{\"from\":\"1970-01-01T00:00:00Z\"}", "{\"error\":\"\"}",
        "{\"limit\":1000000}", "{\"transactionIds\":[\"a\"]}", "{\"partition\":\"Default\"}", "{\"dryRun\":false}"})
    void aRedriveOfAllQueuesNeedsTheRoleAdmin(String body) {
        Answer rejected = producer.post(REDRIVE, body);

        assertThat(rejected.status()).isEqualTo(403);
        assertThat(rejected.json().get("error").asText()).contains("\"queue\"", "admin", "\"dryRun\"");
        assertThat(admin.post(REDRIVE, body).status()).isEqualTo(202);
    }

    @Test
    void aRedriveOfOneQueueAndADryRunAreAllowedForProducers() {
        push(1);

        assertThat(producer.post(REDRIVE, "{\"queue\":\"" + queue + "\"}").status()).isEqualTo(202);
        assertThat(producer.post(REDRIVE, "{\"dryRun\":true}").status()).isEqualTo(202);
    }

    private void push(int messages) {
        for (int i = 0; i < messages; i++) {
            assertThat(producer.post("/api/v1/push", "{\"items\":[{\"queue\":\"" + queue + "\"}]}").status())
                    .isEqualTo(201);
        }
    }

    private static QueenClient as(String role) {
        return server.client().with(TestTokens.valid("{\"sub\":\"x\",\"role\":\"" + role + "\"}"));
    }
}
