package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.schema.SchemaException;
import io.queenmq.schema.Shards;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A database of several shards: its number is fixed, and operators see where each shard is and what is in it. */
class ShardsTest {
    @RegisterExtension
    static final QueenServer server = QueenServer
            .with(Map.of("QUEEN_SHARDS", "3", "STATS_INTERVAL_MS", "100", "RETENTION_INTERVAL", "100"));

    private final QueenClient queen = server.client();

    @Test
    void anotherNumberThanTheDatabaseWasMadeWithStopsTheStart() {
        assertThatThrownBy(() -> server.startAnother(Map.of("QUEEN_SHARDS", "4"))).isInstanceOf(SchemaException.class)
                .hasMessageContaining("made with 3 shards").hasMessageContaining("QUEEN_SHARDS=3");
    }

    @Test
    void whoSaysNothingGetsAsManyAsTheDatabaseHas() {
        QueenClient another = server.startAnother(Map.of());

        assertThat(another.get("/api/v1/system/shards").json().get("shards")).hasSize(3);
    }

    @Test
    void operatorsSeeWhereEachShardIsAndWhatIsInIt() {
        for (int shard = 0; shard < 3; shard++) {
            fill(shard, shard + 1);
        }
        Patiently.until(() -> shards().at("/shards/2/lanes").asInt() == 3);

        JsonNode answer = shards();

        assertThat(answer.get("isCitus").asBoolean()).isFalse();
        assertThat(answer.get("nodes")).hasSize(1);
        assertThat(answer.at("/nodes/0/shards").asInt()).isEqualTo(3);
        assertThat(answer.at("/nodes/0/bytes").asLong())
                .isEqualTo(answer.get("shards").valueStream().mapToLong(each -> each.get("bytes").asLong()).sum());
        assertThat(answer.get("shards")).extracting(each -> each.get("schema").asText()).containsExactly("queen_00", "queen_01",
                "queen_02");
        assertThat(answer.get("shards")).extracting(each -> each.get("lanes").asInt()).containsExactly(1, 2, 3);
        assertThat(answer.get("shards")).extracting(each -> each.get("messages").asInt()).containsExactly(10, 20, 30);
        assertThat(answer.get("shards")).allSatisfy(each -> {
            assertThat(each.get("port").asInt()).isEqualTo(server.database().port());
            assertThat(each.get("bytes").asLong()).isPositive();
            assertThat(each.get("rowsWritten").asLong()).isPositive();
            assertThat(each.get("trouble").isNull()).isTrue();
            assertThat(each.get("move").isNull()).isTrue();
        });
    }

    @Test
    void tablesAreToldAsTheSumOfAllShards() {
        JsonNode stats = queen.get("/api/v1/analytics/postgres-stats").json();

        assertThat(stats.get("tableSizes")).extracting(each -> each.get("table").asText()).contains("segment", "queue")
                .doesNotHaveDuplicates();
        assertThat(stats.get("indexCache")).extracting(each -> each.get("index").asText()).doesNotHaveDuplicates();
    }

    @Test
    void aShardThatCannotBeAskedSaysWhyAndTheOthersAreToldAndKept() {
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
    void upkeepGoesThroughAllShardsThoughOneFails() {
        for (int shard = 0; shard < 3; shard++) {
            server.update("insert into queen_0" + shard
                    + ".lease_lanes (lease_id, partition_ids, created_at) values (gen_random_uuid(), '{}', '2020-01-01')");
        }
        Patiently.until(() -> leases(0) + leases(1) + leases(2) == 0);

        server.update("alter table queen_01.lease_lanes rename to lease_lanes_away");
        try {
            server.update("insert into queen_02.lease_lanes (lease_id, partition_ids, created_at) values (gen_random_uuid(), '{}', '2020-01-01')");
            Patiently.until(() -> leases(2) == 0);
            assertThat(queen.get("/metrics/prometheus").body()).containsPattern("queen_upkeep_errors_total\\{.*kind=\"roll_off\"");
        } finally {
            server.update("alter table queen_01.lease_lanes_away rename to lease_lanes");
        }
    }

    private JsonNode shards() {
        return queen.get("/api/v1/system/shards").json();
    }

    /** Lanes of ten messages each, written down to be counted. */
    private void fill(int shard, int lanes) {
        String name = Shards.name(shard);
        UUID queue = UUID.randomUUID();
        server.update("insert into queen.queue (id, name, namespace, task) values ('" + queue + "', 'filled-" + shard + "', '', '')");
        server.update("insert into " + name + ".queue_depth (queue_id, partitions, total, pending) values ('"
                + queue + "', " + lanes + ", " + lanes * 10 + ", 5)");
    }

    private int leases(int shard) {
        return Integer.parseInt(server.select("select count(*) from queen_0" + shard + ".lease_lanes").getFirst());
    }
}
