package io.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.client.Queen;
import io.queenmq.client.operator.Streams;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The commands for stream queries. */
class StreamCommandsTest {
    @RegisterExtension
    static final CliServer queen = new CliServer();

    private final String queue = CliServer.newQueue();
    private String id;

    @BeforeEach
    void runACycle() {
        id = queen
                .post("/streams/v1/queries",
                        "{\"name\":\"%s\",\"source_queue\":\"%s\",\"config_hash\":\"h\"}".formatted(queue, queue))
                .get("query_id").asText();
        queen.run("push", queue, "{}", "-p", "a", "--transaction-id", "t").ok();
        JsonNode message = queen.run("pop", queue, "-g", "streams." + id, "-o", "json").ok().json();
        String cycle = "{\"query_id\":\"%s\",\"partition_id\":\"%s\",\"consumer_group\":\"streams.%s\",\"state_ops\":["
                + "{\"type\":\"upsert\",\"key\":\"k\",\"value\":1}],\"ack\":{\"transactionId\":\"t\"}}";
        JsonNode done = queen.post("/streams/v1/cycle",
                cycle.formatted(id, message.findValue("partitionId").asText(), id));
        assertThat(done.get("success").asBoolean()).as(done.toString()).isTrue();
    }

    @Test
    void queriesAreListedAndDescribed() {
        JsonNode all = queen.run("streams", "list", "-o", "json").ok().json();
        JsonNode partitions = queen.run("streams", "describe", queue, "-o", "json").ok().json();

        assertThat(all).anySatisfy(each -> {
            assertThat(each.get("name").asText()).isEqualTo(queue);
            assertThat(each.get("stateRows").asInt()).isEqualTo(1);
        });
        assertThat(partitions).hasSize(1);
        assertThat(partitions.get(0).get("partition").asText()).isEqualTo("a");
        assertThat(queen.run("streams", "describe", "missing").code()).isEqualTo(4);
    }

    @Test
    void stateIsReadKeyByKey() {
        try (Queen client = Queen.connect(queen.url())) {
            Streams streams = client.operator().streams();

            assertThat(streams.state(queue, "a", "", "")).singleElement().satisfies(each -> {
                assertThat(each.key()).isEqualTo("k");
                assertThat(each.value()).isEqualTo("1");
                assertThat(each.windowEnd()).isNull();
            });
            assertThat(streams.state(queue, "a", "other", "")).isEmpty();
            assertThat(streams.state(queue, "a", "", "k")).isEmpty();
        }
    }

    @Test
    void stateIsDeletedOnlyAfterConfirmation() {
        assertThat(queen.run("streams", "reset", queue)).satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.err()).contains("Delete the 1 keys of state that " + queue + " has in 1 partitions?");
        });
        queen.run("streams", "reset", queue, "--yes").ok();
        assertThat(queen.run("streams", "describe", queue, "-o", "json").ok().json()).isEmpty();
        queen.run("streams", "delete", queue, "--yes").ok();
        assertThat(queen.run("streams", "describe", queue).code()).isEqualTo(4);
    }
}
