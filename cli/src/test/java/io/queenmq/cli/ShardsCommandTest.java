package io.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code queen shards} on a database of three. */
class ShardsCommandTest {
    @RegisterExtension
    static final CliServer queen = new CliServer(Map.of("QUEEN_SHARDS", "3", "STATS_INTERVAL_MS", "100"));

    @Test
    void eachShardIsListedWithItsNodeAndContents() throws InterruptedException {
        String queue = CliServer.newQueue();
        StringBuilder messages = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            messages.append("{\"partition\":\"").append(i).append("\"}\n");
        }
        queen.runWithInput(messages.toString(), "push", queue, "--partition-key", "partition").ok();
        Await.until("all partitions are counted", () -> sum(shards(), "partitions") == 40);

        JsonNode shards = shards();

        assertThat(shards).extracting(each -> each.get("schema").asText()).containsExactly("queen_00", "queen_01",
                "queen_02");
        assertThat(shards).allSatisfy(each -> {
            assertThat(each.get("node").asText()).endsWith(":" + queen.database().port());
            assertThat(each.get("bytes").asLong()).isPositive();
            assertThat(each.get("partitions").asInt()).isPositive();
            assertThat(each.get("messages")).isEqualTo(each.get("partitions"));
            assertThat(each.get("writesPerSecond").isNull()).isTrue();
        });
        assertThat(queen.run("shards").ok().out()).contains("SHARD", "NODE", "PENDING");
    }

    @Test
    void theWriteRateIsMeasuredForAnInterval() {
        JsonNode shards = queen.run("shards", "--for", "1s", "-o", "json").ok().json();

        assertThat(shards).hasSize(3)
                .allSatisfy(each -> assertThat(each.get("writesPerSecond").asDouble()).isNotNegative());
        assertThat(queen.run("shards", "--for", "long").code()).isEqualTo(1);
    }

    @Test
    void anUnavailableShardIsListedWithItsReasonAndChangesTheExitCode() throws SQLException {
        change("alter table queen_01.queue_depth rename to queue_depth_away");
        try {
            CliServer.Ran ran = queen.run("shards", "-o", "json");

            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.json().get(1).get("trouble").asText()).contains("queue_depth");
            assertThat(ran.json().get(2).get("trouble").isNull()).isTrue();
        } finally {
            change("alter table queen_01.queue_depth_away rename to queue_depth");
        }
    }

    private static JsonNode shards() {
        return queen.run("shards", "-o", "json").ok().json();
    }

    private static int sum(JsonNode shards, String field) {
        return shards.valueStream().mapToInt(each -> each.get(field).asInt()).sum();
    }

    private static void change(String sql) throws SQLException {
        try (var connection = queen.database().connect(); var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
