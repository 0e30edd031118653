package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.schema.SchemaException;
import io.queenmq.schema.Shards;
import io.queenmq.testkit.Await;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A database of several shards: their number is fixed, and operators see the place and content of each shard. */
class ShardsTest {
    @RegisterExtension
    static final QueenServer server = QueenServer
            .with(Map.of("QUEEN_SHARDS", "3", "STATS_INTERVAL_MS", "100", "RETENTION_INTERVAL", "100"));

    private final QueenClient queen = server.client();

    @Test
    void aDifferentNumberOfShardsStopsTheStart() {
        assertThatThrownBy(() -> server.startAnother(Map.of("QUEEN_SHARDS", "4"))).isInstanceOf(SchemaException.class)
                .hasMessageContaining("created with 3 shards").hasMessageContaining("QUEEN_SHARDS=3");
    }

    @Test
    void withoutTheSettingTheShardsOfTheDatabaseAreUsed() {
        QueenClient another = server.startAnother(Map.of());

        assertThat(another.get("/api/v1/analytics/shards").json().get("shards")).hasSize(3);
    }

    @Test
    void theListOfDeadLettersContainsThoseOfEveryShard() {
        String queue = server.newQueue();
        for (int i = 0; i < 12; i++) {
            queen.push(queue, "partition-" + i, "a");
            queen.ackAll(queen.popPartition(queue, "partition-" + i), "dlq");
        }

        JsonNode listed = queen.get("/api/v1/dlq?queue=" + queue + "&limit=100").json();

        assertThat(listed.get("total").asInt()).isEqualTo(12);
        assertThat(listed.get("messages")).hasSize(12);
    }

    @Test
    void operatorsSeeThePlaceAndContentOfEachShard() {
        String queue = server.newQueue();
        for (int i = 0; i < 30; i++) {
            queen.push(queue, "partition-" + i, "a", "b");
        }
        List<Integer> partitions = IntStream.range(0, 3).map(shard -> count(shard, "partition_key")).boxed().toList();
        assertThat(partitions).as("a partition is in the shard of its id").doesNotContain(0);
        List<Integer> messages = IntStream.range(0, 3).map(this::messages).boxed().toList();
        Await.until(() -> numbers("partitions").equals(partitions));
        // Messages of other tests of this class are finished.
        Await.until(() -> numbers("messages").equals(messages)
                && numbers("pending").stream().mapToInt(Integer::intValue).sum() == 60);
        // PostgreSQL publishes table statistics after a second.
        Await.until(() -> !numbers("rowsWritten").contains(0));

        JsonNode answer = shards();

        assertThat(answer.get("isCitus").asBoolean()).isFalse();
        assertThat(answer.get("nodes")).hasSize(1);
        assertThat(answer.at("/nodes/0/shards").asInt()).isEqualTo(3);
        assertThat(answer.at("/nodes/0/bytes").asLong())
                .isEqualTo(answer.get("shards").valueStream().mapToLong(each -> each.get("bytes").asLong()).sum());
        assertThat(answer.get("shards")).extracting(each -> each.get("schema").asText()).containsExactly("queen_00",
                "queen_01", "queen_02");
        assertThat(answer.get("shards")).allSatisfy(each -> {
            assertThat(each.get("port").asInt()).isEqualTo(server.database().port());
            assertThat(each.get("bytes").asLong()).isPositive();
            assertThat(each.get("rowsWritten").asLong()).isPositive();
            assertThat(each.get("trouble").isNull()).isTrue();
            assertThat(each.get("move").isNull()).isTrue();
        });
    }

    @Test
    void tableNumbersAreSumsOfAllShards() {
        JsonNode stats = queen.get("/api/v1/analytics/postgres-stats").json();

        assertThat(stats.get("tableSizes")).extracting(each -> each.get("table").asText()).contains("segment", "queue")
                .doesNotHaveDuplicates();
        assertThat(stats.get("indexCache")).extracting(each -> each.get("index").asText()).doesNotHaveDuplicates();
    }

    @Test
    void anUnavailableShardIsShownWithTheReasonAndOthersWithTheirNumbers() {
        server.update("alter table queen_01.queue_depth rename to queue_depth_away");
        try {
            JsonNode answer = shards();

            assertThat(answer.at("/shards/1/trouble").asText()).contains("queue_depth");
            assertThat(answer.at("/shards/1/bytes").isNull()).isTrue();
            assertThat(answer.at("/shards/0/trouble").isNull()).isTrue();
            assertThat(answer.at("/shards/2/bytes").asLong()).isPositive();
        } finally {
            server.update("alter table queen_01.queue_depth_away rename to queue_depth");
        }
    }

    @Test
    void upkeepRunsInAllShardsIfOneFails() {
        for (int shard = 0; shard < 3; shard++) {
            server.update("insert into queen_0" + shard
                    + ".lease_partitions (lease_id, partition_ids, created_at) values (gen_random_uuid(), '{}', '2020-01-01')");
        }
        Await.until(
                () -> count(0, "lease_partitions") + count(1, "lease_partitions") + count(2, "lease_partitions") == 0);
        assertThat(failedRollOffs()).isZero();

        server.update("alter table queen_01.lease_partitions rename to lease_partitions_away");
        try {
            server.update(
                    "insert into queen_02.lease_partitions (lease_id, partition_ids, created_at) values (gen_random_uuid(), '{}', '2020-01-01')");
            Await.until(() -> count(2, "lease_partitions") == 0);
            Await.until(() -> failedRollOffs() > 0);
        } finally {
            server.update("alter table queen_01.lease_partitions_away rename to lease_partitions");
        }
    }

    private long failedRollOffs() {
        return queen.get("/metrics/prometheus").body().lines()
                .filter(line -> line.startsWith("queen_upkeep_errors_total") && line.contains("roll_off")).count();
    }

    private JsonNode shards() {
        return queen.get("/api/v1/analytics/shards").json();
    }

    private List<Integer> numbers(String field) {
        return shards().get("shards").valueStream().map(each -> each.get(field).asInt()).toList();
    }

    private int messages(int shard) {
        return Integer.parseInt(
                server.select("select coalesce(sum(count), 0) from " + Shards.name(shard) + ".segment").getFirst());
    }

    private int count(int shard, String table) {
        return Integer.parseInt(server.select("select count(*) from " + Shards.name(shard) + "." + table).getFirst());
    }
}
