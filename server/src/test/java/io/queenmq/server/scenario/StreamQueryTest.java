package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queenmq.server.scenario.StreamClient.CycleBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The routes that register, read, show, reset and delete stream queries. */
class StreamQueryTest {
    private static final String KEY = "0123456789abcdef".repeat(4);
    private static final String SECRET = "a card number";

    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("QUEEN_ENCRYPTION_KEY", KEY));

    private final QueenClient queen = server.client();
    private final String in = server.newQueue();
    private final StreamClient stream = StreamClient.register(queen, in);

    @Test
    void theSameNameAndFingerprintAreTheSameQuery() {
        Answer again = StreamClient.register(queen, in, in, "hash-1", false);

        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().get("query_id").asText()).isEqualTo(stream.queryId());
        assertThat(again.json().get("fresh").asBoolean()).isFalse();
        assertThat(UUID.fromString(stream.queryId()).version()).isEqualTo(4);
    }

    @Test
    void anotherFingerprintIsRejectedUnlessTheStateIsReset() {
        String partition = partitionWith("a", "1");

        Answer refused = StreamClient.register(queen, in, in, "hash-2", false);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().get("query_id").asText()).isEqualTo(stream.queryId());
        assertThat(keys(stream.state(partition))).containsExactly("a");

        Answer reset = StreamClient.register(queen, in, in, "hash-2", true);
        assertThat(reset.json().get("reset").asBoolean()).isTrue();
        assertThat(reset.json().get("query_id").asText()).isEqualTo(stream.queryId());
        assertThat(keys(stream.state(partition))).isEmpty();
        assertThat(StreamClient.register(queen, in, in, "hash-2", false).status()).isEqualTo(200);
    }

    @Test
    void allFiltersApplyAndAPrefixIsLiteral() {
        queen.push(in, "a", "1");
        JsonNode message = stream.pop(1).message();
        CycleBody cycle = stream.cycle(partition(message)).ack(message);
        for (String key : List.of("a%b", "a%c", "axb", "a_", "b", "\uFFFDz", "a\uD83D\uDE00")) {
            cycle.upsert(key, "{\"windowEnd\":" + key.length() + "}");
        }
        cycle.upsert("none", "{\"windowEnd\":\"1\"}").upsert("text", "\"windowEnd\"");
        stream.send(cycle);

        assertThat(keys(stream.state(partition(message)))).containsExactly("a%b", "a%c", "a_", "axb", "a\uD83D\uDE00",
                "b", "none", "text", "\uFFFDz");
        assertThat(keys(readState(message, filters().put("key_prefix", "a%")))).containsExactly("a%b", "a%c");
        assertThat(keys(readState(message, filters().put("key_prefix", "a")))).hasSize(5);
        assertThat(keys(readState(message, filters().put("ripe_at_or_before", 2)))).containsExactly("a_", "b",
                "\uFFFDz");
        assertThat(keys(readState(message, filters().put("ripe_at_or_before", 2).put("key_prefix", "a"))))
                .containsExactly("a_");
        ObjectNode byKey = filters();
        byKey.putArray("keys").add("b").add("axb").add("b").add("missing");
        assertThat(keys(readState(message, byKey))).containsExactly("axb", "b");
        assertThat(keys(readState(message, byKey.put("ripe_at_or_before", 1)))).containsExactly("b");
    }

    @Test
    void unknownQueriesAndPartitionsAreRejectedWithTheReason() {
        queen.push(in, "a", "1");
        JsonNode message = stream.pop(1).message();
        String unknownId = UUID.randomUUID().toString();
        String ids = "{\"query_id\":\"" + unknownId + "\",\"partition_id\":\"" + partition(message) + "\"}";

        assertThat(queen.post("/streams/v1/cycle", ids).status()).isEqualTo(404);
        assertThat(queen.post("/streams/v1/state/get", ids).status()).isEqualTo(404);
        JsonNode noPartition = stream.send(stream.cycle(unknownId).upsert("k", "1")).json();
        assertThat(noPartition.get("success").asBoolean()).isFalse();
        assertThat(noPartition.get("error").asText()).contains("partition");
        assertThat(queen.get("/streams/v1/queries/missing").status()).isEqualTo(404);
        assertThat(queen.delete("/streams/v1/queries/missing").status()).isEqualTo(404);
    }

    @Test
    void ripeRowsBeyondOneResponseAreReturnedInPages() {
        String partition = partitionWith("a", "1");
        server.updateEverywhere(
                "insert into stream_state (state_id, partition_id, key, value, is_sealed, window_end, updated_at)"
                        + " select q.state_id, p.id, 'k' || n, '1', false, n, now() from queen.stream_query q,"
                        + " partition p, generate_series(1, 10001) n where q.id = ?::uuid and p.id = ?::uuid",
                stream.queryId(), partition);

        Answer all = stream.state(partition);
        Answer ripe = stream.ripe(partition, 20_000);

        assertThat(all.status()).isEqualTo(400);
        assertThat(all.json().get("error").asText()).contains("10000");
        assertThat(keys(ripe)).hasSize(10_000).contains("k1", "k10000").doesNotContain("k10001");
    }

    @Test
    void stateOfAnEncryptedQueueIsEncrypted() {
        queen.configure(in, "{\"encryptionEnabled\":true}");
        String partition = partitionWith("a", "{\"text\":\"" + SECRET + "\",\"windowEnd\":5}");

        assertThat(server.select(
                "select convert_from(value, 'UTF8') from queen.stream_state where partition_id = ?::uuid", partition))
                .hasSize(1).noneMatch(value -> value.contains(SECRET));
        assertThat(stream.ripe(partition, 5).json().at("/rows/0/value/text").asText()).isEqualTo(SECRET);
        JsonNode shown = queen.get("/streams/v1/queries/" + in + "/partitions/a/state").json().at("/rows/0");
        assertThat(shown.get("isEncrypted").asBoolean()).isTrue();
        assertThat(shown.get("value").isNull()).isTrue();
    }

    @Test
    void stateIsEncryptedAfterAnotherServerEnablesEncryption() {
        QueenClient there = server.startAnother();
        queen.push(in, "a", "1");
        JsonNode message = stream.pop(1).message();
        there.configure(in, "{\"encryptionEnabled\":true}");

        JsonNode done = stream.send(stream.cycle(partition(message)).upsert("k", "\"" + SECRET + "\"").ack(message))
                .json();

        assertThat(done.get("success").asBoolean()).isTrue();
        assertThat(
                server.select("select convert_from(value, 'UTF8') from queen.stream_state where partition_id = ?::uuid",
                        partition(message)))
                .hasSize(1).noneMatch(value -> value.contains(SECRET));
    }

    @Test
    void queriesAreListedAndShownWithTheirNumbers() {
        partitionWith("a", "{\"windowEnd\":5}");
        queen.push(in, "b", "unread");

        JsonNode listed = find(queen.get("/streams/v1/queries").json().get("queries"));
        JsonNode shown = queen.get("/streams/v1/queries/" + in).json();
        JsonNode state = queen.get("/streams/v1/queries/" + in + "/partitions/a/state?prefix=a&limit=1").json();

        assertThat(listed.get("sourceQueue").asText()).isEqualTo(in);
        assertThat(listed.get("stateRows").asInt()).isEqualTo(1);
        assertThat(listed.get("stateBytes").asInt()).isEqualTo(16);
        assertThat(listed.get("cycles").asInt()).isEqualTo(1);
        assertThat(listed.get("messages").asInt()).isEqualTo(1);
        assertThat(listed.get("lastCycleAt").asText()).endsWith("Z");
        assertThat(shown.get("partitions")).hasSize(1);
        assertThat(shown.at("/partitions/0/partition").asText()).isEqualTo("a");
        assertThat(shown.at("/partitions/0/unread").asInt()).isZero();
        assertThat(state.at("/rows/0/key").asText()).isEqualTo("a");
        assertThat(state.at("/rows/0/windowEnd").asInt()).isEqualTo(5);
        assertThat(queen.get("/streams/v1/queries?after=" + in).json().get("queries").findValuesAsText("name"))
                .doesNotContain(in);
        assertThat(queen.get("/metrics/prometheus").body()).contains("queen_stream_cycles_total{verdict=\"go\"}");
    }

    @Test
    void aResetDropsStateAndUpkeepDeletesIt() {
        String partition = partitionWith("a", "1");

        JsonNode reset = queen.post("/streams/v1/queries/" + in + "/reset", "").json();

        assertThat(reset.get("stateRows").asInt()).isEqualTo(1);
        assertThat(keys(stream.state(partition))).isEmpty();
        assertThat(server.select("select key from queen.stream_state where partition_id = ?::uuid", partition))
                .hasSize(1);
        sweep();
        assertThat(server.select("select key from queen.stream_state where partition_id = ?::uuid", partition))
                .isEmpty();
        assertThat(keys(stream.state(partitionWith("b", "2")))).containsExactly("b");
    }

    @Test
    void deletingAQueryDeletesItsStateAndItsGroup() {
        String partition = partitionWith("a", "1");

        assertThat(queen.delete("/streams/v1/queries/" + in).status()).isEqualTo(200);

        assertThat(stream.state(partition).status()).isEqualTo(404);
        assertThat(stream.send(stream.cycle(partition)).status()).isEqualTo(404);
        assertThat(server.select("select group_name from queen.cursor where group_name = ?", stream.group())).isEmpty();
        sweep();
        assertThat(server.select("select key from queen.stream_state where partition_id = ?::uuid", partition))
                .isEmpty();
        assertThat(server.select("select state_id from queen.stream_garbage")).isEmpty();
    }

    @Test
    void deletingAQueueDeletesStateOfItsQueries() {
        String partition = partitionWith("a", "1");

        queen.delete("/api/v1/resources/queues/" + in);

        assertThat(server.select("select key from queen.stream_state where partition_id = ?::uuid", partition))
                .isEmpty();
        assertThat(server.select("select partition_id from queen.stream_partition where partition_id = ?::uuid",
                partition)).isEmpty();
        assertThat(find(queen.get("/streams/v1/queries").json().get("queries")).get("partitionCount").asInt()).isZero();
    }

    private static void sweep() {
        String api = server.select("select queen.routines()").getFirst();
        while (!server.select("select state_id from queen.stream_garbage").isEmpty()) {
            server.updateEverywhere("select " + api + ".sweep_state(1000)");
        }
    }

    private String partitionWith(String key, String value) {
        queen.push(in, "a", UUID.randomUUID().toString());
        JsonNode message = stream.pop(1).message();
        JsonNode done = stream.send(stream.cycle(partition(message)).upsert(key, value).ack(message)).json();
        assertThat(done.get("success").asBoolean()).as(done.toString()).isTrue();
        return partition(message);
    }

    private Answer readState(JsonNode message, ObjectNode filters) {
        return stream.state(partition(message), filters);
    }

    private static ObjectNode filters() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static String partition(JsonNode message) {
        return message.get("partitionId").asText();
    }

    private JsonNode find(JsonNode queries) {
        for (JsonNode query : queries) {
            if (query.get("id").asText().equals(stream.queryId())) {
                return query;
            }
        }
        throw new AssertionError("not listed: " + queries);
    }

    private static List<String> keys(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        List<String> keys = new ArrayList<>();
        answer.json().get("rows").forEach(row -> keys.add(row.get("key").asText()));
        return keys;
    }
}
