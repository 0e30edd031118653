package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.CitusCluster;
import io.queenmq.testkit.CitusDatabase;
import io.queenmq.testkit.QueenClient.Message;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server installs the schema on a Citus cluster, and distributes a database that was created before the extension. */
@Tag("citus")
class CitusInstallationTest {
    private static final String QUEUE = "orders";

    @TempDir
    private Path data;

    @Test
    void shardsAreSpreadOverTheWorkersAndTheirNumberStays() {
        try (CitusDatabase database = CitusCluster.fromEnvironment().createDatabase()) {
            try (QueenProcess queen = QueenProcess.start(settings(database, "4", "required"))) {
                assertThat(OnCitus.nodes(queen)).hasSize(4);
                assertThat(OnCitus.nodes(queen).stream().distinct()).hasSize(database.workers().size());
                stop(queen);
            }
            try (QueenProcess other = QueenProcess.launch(settings(database, "2", "auto"))) {
                assertThat(other.awaitEnd()).isEqualTo(1);
                assertThat(other.output()).anyMatch(line -> line.contains("was created with 4 shards"));
            }
        }
    }

    @Test
    void shardsCreatedWithoutTheExtensionAreDistributedAtTheNextStart() {
        try (CitusDatabase database = CitusCluster.fromEnvironment().createPlainDatabase()) {
            List<String> partitions = IntStream.range(0, 8).mapToObj(i -> "partition-" + i).toList();
            try (QueenProcess queen = QueenProcess.start(settings(database, "2", "auto"))) {
                queen.client().configure(QUEUE, Map.of());
                partitions.forEach(partition -> assertThat(
                        queen.client().push(QUEUE, partition, List.of(partition + "-1", partition + "-2")).isOk())
                        .isTrue());
                assertThat(shards(queen).get("isCitus").asBoolean()).isFalse();
                stop(queen);
            }
            database.extend();
            try (QueenProcess kept = QueenProcess.start(settings(database, "", "off"))) {
                assertThat(OnCitus.number(database.coordinator(), "select count(*) from pg_dist_schema")).isZero();
                stop(kept);
            }

            try (QueenProcess queen = QueenProcess.start(settings(database, "", "required"))) {
                assertThat(OnCitus.nodes(queen).stream().distinct()).hasSize(2);
                partitions.forEach(partition -> {
                    queen.client().push(QUEUE, partition, List.of(partition + "-3"));
                    List<Message> got = queen.client().pop(QUEUE, partition, null, "batch=10").messages();
                    assertThat(got).extracting(Message::transactionId).containsExactly(partition + "-1",
                            partition + "-2", partition + "-3");
                    assertThat(queen.client().ack(null, got.stream().map(m -> m.ack("completed")).toList()).isOk())
                            .isTrue();
                });
                stop(queen);
            }
        }
    }

    private static JsonNode shards(QueenProcess queen) {
        return queen.client().get("/api/v1/analytics/shards").body();
    }

    private static void stop(QueenProcess queen) {
        queen.terminate();
        assertThat(queen.awaitEnd()).isZero();
    }

    private Map<String, String> settings(CitusDatabase database, String shards, String citus) {
        Map<String, String> settings = new HashMap<>(OnCitus.settings(database, data));
        settings.put("QUEEN_SHARDS", shards);
        settings.put("QUEEN_CITUS", citus);
        return settings;
    }
}
