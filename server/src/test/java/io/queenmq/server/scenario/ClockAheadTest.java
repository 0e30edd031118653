package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The clock of PostgreSQL was a day ahead for a moment, so that rows of that moment have the time of tomorrow. */
class ClockAheadTest {
    private static final int DAY = 86_400;

    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("EVICTION_INTERVAL", "86400000"));

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    @DisplayName("messages that are pushed after the clock was set right have the present time")
    void laterMessagesHaveThePresentTime() {
        queen.push(queue, "a", "ahead");
        server.age(queue, -DAY);

        queen.push(queue, "a", "later");

        Instant later = Instant
                .parse(queen.popPartition(queue, "a", "batch=10").messages().get(1).get("createdAt").asText());
        assertThat(later).isBefore(Instant.now().plus(1, ChronoUnit.HOURS));
    }

    @Test
    @DisplayName("delayedProcessing does not hold back messages until tomorrow, and explain agrees")
    void delayedMessagesAreDelivered() {
        queen.configure(queue, "{\"delayedProcessing\":600}");
        queen.push(queue, "a", "ahead");
        assertThat(queen.popPartition(queue, "a", "consumerGroup=g").isEmpty()).isTrue();
        assertThat(explain("a").get("state").asText()).isEqualTo("delayed");
        server.age(queue, -DAY);

        assertThat(explain("a").get("state").asText()).isEqualTo("ready");
        assertThat(queen.popPartition(queue, "a", "consumerGroup=g").transactionIds()).containsExactly("ahead");
    }

    @Test
    @DisplayName("windowBuffer does not hold back a partition until tomorrow, and explain agrees")
    void aWindowEnds() {
        queen.configure(queue, "{\"windowBuffer\":600}");
        queen.push(queue, "a", "ahead");
        assertThat(queen.popPartition(queue, "a", "consumerGroup=g").isEmpty()).isTrue();
        assertThat(explain("a").get("state").asText()).isEqualTo("window");
        server.age(queue, -DAY);

        assertThat(explain("a").get("state").asText()).isEqualTo("ready");
        assertThat(queen.popPartition(queue, "a", "consumerGroup=g").transactionIds()).containsExactly("ahead");
    }

    @Test
    @DisplayName("explain names the command that ends a lease of a day, and the command ends it")
    void aLeaseOfADayIsEndedByTheCommandThatExplainNames() {
        queen.configure(queue, "{\"leaseTime\":60}");
        queen.push(queue, "a", "1", "2");
        queen.popPartition(queue, "a", "consumerGroup=g");
        assertThat(explain("a").get("reason").asText()).doesNotContain("queen partition seek");
        server.updateEverywhere("update cursor set lease_until = lease_until + interval '1 day'"
                + " where lease_id is not null and partition_id = ?::uuid", id("a"));

        JsonNode explanation = explain("a");

        assertThat(explanation.get("reason").asText()).contains("clock was ahead")
                .endsWith("queen partition seek " + queue + " a -g g --to 0");
        assertThat(queen.post("/api/v1/consumer-groups/g/queues/" + queue + "/partitions/a/seek", "{\"offset\":0}")
                .status()).isEqualTo(200);
        assertThat(queen.popPartition(queue, "a", "batch=10", "consumerGroup=g").transactionIds()).containsExactly("1",
                "2");
    }

    private JsonNode explain(String partition) {
        return queen.get("/api/v1/explain/" + id(partition) + "?consumerGroup=g").json();
    }

    private String id(String partition) {
        return server.select("select p.id from queen.partition p join queen.queue q on q.id = p.queue_id"
                + " where q.name = ? and p.name = ?", queue, partition).getFirst();
    }
}
