package io.queenmq.server.http.message;

import static io.queenmq.engine.queue.QueueOption.COMPLETED_RETENTION;
import static io.queenmq.engine.queue.QueueOption.DEAD_LETTER_QUEUE;
import static io.queenmq.engine.queue.QueueOption.DEDUP_WINDOW;
import static io.queenmq.engine.queue.QueueOption.DELAYED_PROCESSING;
import static io.queenmq.engine.queue.QueueOption.DLQ_AFTER_MAX_RETRIES;
import static io.queenmq.engine.queue.QueueOption.ENCRYPTION_ENABLED;
import static io.queenmq.engine.queue.QueueOption.LEASE_TIME;
import static io.queenmq.engine.queue.QueueOption.MAX_SIZE;
import static io.queenmq.engine.queue.QueueOption.MAX_WAIT_TIME;
import static io.queenmq.engine.queue.QueueOption.PRIORITY;
import static io.queenmq.engine.queue.QueueOption.RETENTION;
import static io.queenmq.engine.queue.QueueOption.RETENTION_ENABLED;
import static io.queenmq.engine.queue.QueueOption.RETRY_BACKOFF;
import static io.queenmq.engine.queue.QueueOption.RETRY_DELAY;
import static io.queenmq.engine.queue.QueueOption.RETRY_LIMIT;
import static io.queenmq.engine.queue.QueueOption.TTL;
import static io.queenmq.engine.queue.QueueOption.WINDOW_BUFFER;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.engine.command.ConfigureOutcome;
import io.queenmq.engine.queue.QueueOptions;
import io.queenmq.server.http.FakeEngine;
import io.queenmq.server.http.TestApi;
import io.queenmq.server.http.json.BadRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigureRouteTest {
    @Test
    void everyOptionIsRead() {
        var request = parse(
                """
                {"queue":"q","namespace":"n","task":"t","options":{"leaseTime":1,"retryLimit":0,"retryDelay":3,"retryBackoff":1.5,
                "delayedProcessing":4,"windowBuffer":5,"priority":-6,"maxSize":5000000000,"ttl":8,"maxWaitTimeSeconds":9,
                "retentionEnabled":false,"retentionSeconds":11,"completedRetentionSeconds":12,"encryptionEnabled":true,
                "deadLetterQueue":true,"dlqAfterMaxRetries":true,"dedupWindowSeconds":16,"unknown":{"leaseTime":"x"}}}""");

        assertThat(request).isEqualTo(new ConfigureRoute.ConfigureRequest("q", "n", "t",
                new QueueOptions(Map.ofEntries(entry(LEASE_TIME, 1), entry(RETRY_LIMIT, 0), entry(RETRY_DELAY, 3),
                        entry(RETRY_BACKOFF, 1.5), entry(DELAYED_PROCESSING, 4), entry(WINDOW_BUFFER, 5),
                        entry(PRIORITY, -6), entry(MAX_SIZE, 5_000_000_000L), entry(TTL, 8), entry(MAX_WAIT_TIME, 9),
                        entry(RETENTION_ENABLED, false), entry(RETENTION, 11), entry(COMPLETED_RETENTION, 12),
                        entry(ENCRYPTION_ENABLED, true), entry(DEAD_LETTER_QUEUE, true),
                        entry(DLQ_AFTER_MAX_RETRIES, true), entry(DEDUP_WINDOW, 16)))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"queue\":\"q\"}", "{\"queue\":\"q\",\"options\":{}}", "{\"queue\":\"q\",\"options\":[]}",
        "{\"queue\":\"q\",\"options\":null,\"namespace\":null,\"task\":null}",
        "{\"queue\":\"q\",\"options\":{\"leaseTime\":null,\"priority\":null}}"})
    void missingOptionsKeepTheirValue(String body) {
        assertThat(parse(body)).isEqualTo(new ConfigureRoute.ConfigureRequest("q", null, null, QueueOptions.NONE));
    }

    @Test
    void aDedupWindowOfNullMeansTheSettingOfTheServer() {
        assertThat(parse("{\"queue\":\"q\",\"options\":{\"dedupWindowSeconds\":null}}").options().dedupWindowSeconds())
                .isEqualTo(QueueOptions.AS_THE_SERVER);
    }

    @Test
    void aLeaseTimeOfZeroIsAMinute() {
        assertThat(parse("{\"queue\":\"q\",\"options\":{\"leaseTime\":0}}").options().leaseTime()).isEqualTo(60);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {"\"retentionSeconds\":5|true",
        "\"completedRetentionSeconds\":5|true", "\"retentionSeconds\":0|", "\"leaseTime\":5|",
        "\"retentionSeconds\":5,\"retentionEnabled\":false|false", "\"retentionEnabled\":true|true"})
    void anExplicitRetentionTimeEnablesRetention(String options, Boolean isEnabled) {
        assertThat(parse("{\"queue\":\"q\",\"options\":{" + options + "}}").options().retentionEnabled())
                .isEqualTo(isEnabled);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
        "\"leaseTime\":-1|leaseTime must be a whole number from 0 to 604800",
        "\"leaseTime\":604801|leaseTime must be a whole number from 0 to 604800",
        "\"leaseTime\":\"5\"|leaseTime must be a whole number from 0 to 604800",
        "\"leaseTime\":1.5|leaseTime must be a whole number from 0 to 604800",
        "\"leaseTime\":99999999999999999999999|leaseTime must be a whole number from 0 to 604800",
        "\"retryLimit\":2147483648|retryLimit must be a whole number from 0 to 2147483647",
        "\"retryDelay\":86400001|retryDelay must be a whole number from 0 to 86400000",
        "\"retryBackoff\":0.9|retryBackoff must be a number from 1 to 10",
        "\"retryBackoff\":10.1|retryBackoff must be a number from 1 to 10",
        "\"retryBackoff\":\"2\"|retryBackoff must be a number from 1 to 10",
        "\"retryBackoff\":[]|retryBackoff must be a number from 1 to 10",
        "\"priority\":2147483648|priority must be a whole number from -2147483648 to 2147483647",
        "\"maxSize\":-1|maxSize must be a whole number from 0 to 9223372036854775807",
        "\"maxSize\":9223372036854775808|maxSize must be a whole number from 0 to 9223372036854775807",
        "\"delayedProcessing\":-1|delayedProcessing must be a whole number from 0 to 2147483647",
        "\"windowBuffer\":\"a\"|windowBuffer must be a whole number from 0 to 2147483647",
        "\"ttl\":-1|ttl must be a whole number from 0 to 2147483647",
        "\"maxWaitTimeSeconds\":true|maxWaitTimeSeconds must be a whole number from 0 to 2147483647",
        "\"retentionSeconds\":2147483648|retentionSeconds must be a whole number from 0 to 2147483647",
        "\"completedRetentionSeconds\":[]|completedRetentionSeconds must be a whole number from 0 to 2147483647",
        "\"dedupWindowSeconds\":-1|dedupWindowSeconds must be a whole number from 0 to 31536000",
        "\"dedupWindowSeconds\":31536001|dedupWindowSeconds must be a whole number from 0 to 31536000",
        "\"deadLetterQueue\":0|deadLetterQueue must be true or false",
        "\"dlqAfterMaxRetries\":\"no\"|dlqAfterMaxRetries must be true or false",
        "\"retentionEnabled\":\"true\"|retentionEnabled must be true or false",
        "\"encryptionEnabled\":1|encryptionEnabled must be true or false"})
    void wrongOptionsAreRefused(String options, String problem) {
        assertThatThrownBy(() -> parse("{\"queue\":\"q\",\"options\":{" + options + "}}"))
                .isInstanceOf(BadRequest.class).hasMessage("options." + problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"queue\":7}", "{\"queue\":\"\"}", "{\"queue\":\"a/b\"}",
        "{\"queue\":\"q\",\"options\":[1]}", "{\"queue\":\"q\",\"options\":\"x\"}", "{\"queue\":\"q\",\"namespace\":1}",
        "{\"queue\":\"q\",\"task\":\"\\u0000\"}"})
    void invalidConfigurationsAreRejected(String body) {
        assertThatThrownBy(() -> parse(body)).isInstanceOf(BadRequest.class);
    }

    @Test
    void theResponseContainsAllOptions() throws Exception {
        try (TestApi api = new TestApi()) {
            var answer = api.post("/api/v1/configure", "{\"queue\":\"q\"}");

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("{\"configured\":true,\"queueId\":\"" + FakeEngine.QUEUE
                    + "\",\"partitionId\":\""
                    + new io.queenmq.engine.queue.Queue(FakeEngine.QUEUE, "q", "n", "", QueueOptions.NONE, false,
                            Set.of(), 0).partitionId("Default")
                    + "\",\"queue\":\"q\",\"namespace\":\"n\",\"task\":\"\",\"options\":{\"leaseTime\":300,"
                    + "\"retryLimit\":3,\"retryDelay\":1000,\"retryBackoff\":1,\"delayedProcessing\":0,\"windowBuffer\":0,\"priority\":0,"
                    + "\"maxSize\":0,\"ttl\":3600,\"maxWaitTimeSeconds\":0,\"retentionEnabled\":false,"
                    + "\"retentionSeconds\":0,\"completedRetentionSeconds\":0,\"encryptionEnabled\":false,"
                    + "\"deadLetterQueue\":false,\"dlqAfterMaxRetries\":false,\"dedupWindowSeconds\":null}}");
        }
    }

    @Test
    void encryptionWithoutAKeyIsRejectedWithTheRemedy() throws Exception {
        try (TestApi api = new TestApi()) {
            api.engine.configureOutcome = new ConfigureOutcome.NoKey();

            var answer = api.post("/api/v1/configure", "{\"queue\":\"q\",\"options\":{\"encryptionEnabled\":true}}");

            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).startsWith("{\"error\":").contains("QUEEN_ENCRYPTION_KEY");
        }
    }

    private static ConfigureRoute.ConfigureRequest parse(String body) {
        return ConfigureRoute.parse(body.getBytes(StandardCharsets.UTF_8));
    }
}
