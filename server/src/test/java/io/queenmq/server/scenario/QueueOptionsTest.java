package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.engine.queue.QueueOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The effect of each queue option, except those with their own test classes. */
class QueueOptionsTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @ParameterizedTest
    @CsvSource({"leaseTime,77", "retryLimit,0", "retryLimit,100000", "retryLimit,2147483647", "retryDelay,5",
        "retryBackoff,1.5", "retryBackoff,2", "delayedProcessing,6", "windowBuffer,7", "priority,-8",
        "maxSize,5000000000", "ttl,10", "maxWaitTimeSeconds,11", "retentionEnabled,true", "retentionSeconds,0",
        "completedRetentionSeconds,0", "encryptionEnabled,false", "deadLetterQueue,true", "dlqAfterMaxRetries,true",
        "dedupWindowSeconds,16"})
    void configureChangesOnlyTheNamedOptions(String option, String value) {
        JsonNode before = queen.configure(queue, "{\"retryLimit\":9,\"leaseTime\":8}").json().get("options");

        JsonNode after = queen.configure(queue, "{\"" + option + "\":" + value + "}").json().get("options");

        assertThat(after.get(option).asText()).isEqualTo(value);
        Answer.fieldsOf(before).stream().filter(each -> !each.equals(option))
                .forEach(each -> assertThat(after.get(each)).as(each).isEqualTo(before.get(each)));
        assertThat(queen.configure(queue, "{}").json().get("options")).isEqualTo(after);
    }

    @Test
    void aNewQueueHasTheDefaultOfEveryOption() {
        JsonNode options = queen.configure(queue, "{}").json().get("options");

        assertThat(Answer.fieldsOf(options))
                .containsExactlyElementsOf(Arrays.stream(QueueOption.values()).map(QueueOption::key).toList());
        for (QueueOption option : QueueOption.values()) {
            if (option.defaultValue() instanceof Number number) {
                assertThat(options.get(option.key()).asDouble()).as(option.key()).isEqualTo(number.doubleValue());
            } else {
                assertThat(options.get(option.key()).asText()).as(option.key())
                        .isEqualTo(String.valueOf(option.defaultValue()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyOptionIsStoredAndShown(QueueOption option) {
        String value = switch (option.range().type()) {
            // Encryption cannot be enabled without a key.
            case BOOLEAN -> option == QueueOption.ENCRYPTION_ENABLED ? "false" : "true";
            default -> Long.toString(option.range().min() + 2);
        };

        JsonNode configured = queen.configure(queue, "{\"" + option.key() + "\":" + value + "}").json().get("options");
        JsonNode shown = queen.get("/api/v1/resources/queues/" + queue).json().get("options");

        assertThat(configured.get(option.key()).asText()).isEqualTo(value);
        assertThat(shown.path(option.key()).asText()).as("%s in show_queue.sql", option.key()).isEqualTo(value);
    }

    @Test
    void encryptionIsRejectedIfNoServerHasAKey() {
        queen.configure(queue, "{\"leaseTime\":8}");

        Answer refused = queen.configure(queue, "{\"encryptionEnabled\":true,\"leaseTime\":9}");
        Answer unborn = queen.configure(queue + "-new", "{\"encryptionEnabled\":true}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("error").asText()).contains("QUEEN_ENCRYPTION_KEY");
        assertThat(unborn.status()).isEqualTo(400);
        JsonNode options = queen.configure(queue, "{}").json().get("options");
        assertThat(options.get("encryptionEnabled").asBoolean()).isFalse();
        assertThat(options.get("leaseTime").asInt()).isEqualTo(8);
        assertThat(queen.get("/api/v1/resources/queues/" + queue + "-new").status()).isEqualTo(404);
        assertThat(queen.push(queue, "a", "1").each("status")).containsExactly("queued");
    }

    @Test
    void leaseTimeIsTheDurationOfALease() {
        queen.configure(queue, "{\"leaseTime\":1234}");
        queen.push(queue, "a", "1");
        queen.pop(queue);

        assertThat(Integer.parseInt(server.select("select ceil(extract(epoch from c.lease_until - clock_timestamp()))"
                + " from queen.cursor c join queen.partition p on p.id = c.partition_id"
                + " join queen.queue q on q.id = p.queue_id where q.name = ?", queue).getFirst()))
                .isBetween(1200, 1234);
    }

    /** The delay between retries is constant, or grows up to a maximum. */
    @ParameterizedTest
    @CsvSource({"1,100", "1.5,759", "2,900"})
    void retryDelayGrowsWithTheBackoffUpToAQuarterOfAnHour(String backoff, String seconds) {
        queen.configure(queue, "{\"retryDelay\":100000,\"retryLimit\":9,\"retryBackoff\":" + backoff + "}");
        queen.push(queue, "a", "1");
        for (int i = 0; i < 6; i++) {
            queen.ackAll(queen.popPartition(queue, "a"), "failed");
            if (i < 5) {
                server.endRetryDelays(queue);
            }
        }

        assertThat(server.select("select round(extract(epoch from f.retry_at - f.failed_at)) from queen.failure f"
                + " join queen.partition p on p.id = f.partition_id join queen.queue q on q.id = p.queue_id"
                + " where q.name = ?", queue)).containsExactly(seconds);
    }

    /** A failed message is never dropped, for any values of these options. */
    @ParameterizedTest
    @CsvSource({"false,false", "false,true", "true,false", "true,true"})
    void aMessageBeyondItsRetryLimitIsAlwaysDeadLettered(boolean deadLetterQueue, boolean dlqAfterMaxRetries) {
        queen.configure(queue, "{\"retryLimit\":0,\"deadLetterQueue\":" + deadLetterQueue + ",\"dlqAfterMaxRetries\":"
                + dlqAfterMaxRetries + "}");
        queen.push(queue, "a", "poison");

        queen.ackAll(queen.pop(queue), "failed");

        assertThat(server.deadLetters(queue)).containsExactly("poison 1");
    }

    @Test
    void aQueueMayHaveItsOwnDeduplicationWindow() {
        queen.configure(queue, "{\"dedupWindowSeconds\":100}");
        queen.push(queue, "a", "1");
        assertThat(queen.push(queue, "a", "1").each("status")).containsExactly("duplicate");
        server.age(queue, 101);

        assertThat(server.startAnother().push(queue, "a", "1").each("status")).containsExactly("queued");
    }

    @Test
    void aLongerWindowCoversMessagesStoredBefore() {
        queen.configure(queue, "{\"dedupWindowSeconds\":0}");
        queen.push(queue, "a", "1");
        assertThat(queen.push(queue, "a", "1", "2").each("status")).isEqualTo(List.of("queued", "queued"));
        server.age(queue, 5_000);

        queen.configure(queue, "{\"dedupWindowSeconds\":10000}");

        assertThat(queen.push(queue, "a", "1", "2", "3").each("status")).containsExactly("duplicate", "duplicate",
                "queued");
    }
}
