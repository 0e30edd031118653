package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An encrypted message can only be decrypted at the position to which it was pushed. */
class BoundMessagesTest {
    private static final String KEY = "0123456789abcdef".repeat(4);

    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("QUEEN_ENCRYPTION_KEY", KEY, "SEGMENT_CACHE_BYTES", "0"));

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void pushesAndTransactionsBindMessagesToTheirOffsets() {
        encrypt(queue);
        queen.push(queue, "a", "1", "2");
        queen.push(queue, "a", "3");
        queen.transaction(
                "{\"operations\":[{\"type\":\"push\",\"items\":[{\"queue\":\"%s\",\"partition\":\"a\",\"payload\":{\"text\":\"4\"}}]}]}"
                        .formatted(queue));

        assertThat(bindings()).hasSize(4).containsOnly("offset");
        assertThat(queen.popPartition(queue, "a", "batch=10").messages())
                .extracting(message -> message.at("/data/text").asText()).containsExactly("1", "2", "3", "4");
    }

    @Test
    void operatorsSeeBoundMessages() {
        encrypt(queue);
        queen.push(queue, "a", "1");
        JsonNode message = queen.popPartition(queue, "a").message();
        String path = "/api/v1/messages/" + message.get("partitionId").asText() + "/1";
        assertThat(queen.get(path).json().at("/payload/text").asText()).isEqualTo("1");
        queen.post("/api/v1/traces",
                "{\"partitionId\":\"%s\",\"transactionId\":\"1\",\"data\":{},\"traceNames\":[\"bound\"]}"
                        .formatted(message.get("partitionId").asText()));
        assertThat(queen.get("/api/v1/traces/by-name/bound").json().at("/traces/0/message_payload/text").asText())
                .isEqualTo("1");

        queen.ack(message, "dlq");

        assertThat(queen.get("/api/v1/dlq?queue=" + queue).json().at("/messages/0/data/text").asText()).isEqualTo("1");
    }

    @Test
    void aCiphertextMovedWithinItsPartitionIsRejected() {
        encrypt(queue);
        queen.push(queue, "a", "1");
        queen.push(queue, "a", "2");
        server.updateEverywhere("update segment s set body = o.body, hashes = o.hashes from segment o"
                + " where o.partition_id = s.partition_id and o.base = 1 and s.base = 0 and s.partition_id = ?::uuid",
                partitionId(queue, "a"));

        assertRejected(queen.popPartition(queue, "a"), "stored at offset 0 of partition");
    }

    @Test
    void aCiphertextMovedToAnotherPartitionOrQueueIsRejected() {
        String other = server.newQueue();
        encrypt(queue);
        encrypt(other);
        queen.push(queue, "a", "1");
        queen.push(queue, "b", "2");
        queen.push(other, "a", "3");
        for (String target : List.of(partitionId(queue, "b"), partitionId(other, "a"))) {
            byte[] body = HexFormat.of().parseHex(
                    server.select("select encode(body, 'hex') from queen.segment where partition_id = ?::uuid",
                            partitionId(queue, "a")).getFirst());
            assertThat(
                    server.updateEverywhere("update segment set body = ? where partition_id = ?::uuid", body, target))
                    .isOne();
        }

        assertThat(queen.popPartition(queue, "a").status()).isEqualTo(200);
        assertRejected(queen.popPartition(queue, "b"), "encrypted for another position");
        assertRejected(queen.popPartition(other, "a"), "encrypted for another position");
    }

    /** A release without bindings encrypted in this format. Its messages must stay readable. */
    @Test
    void messagesOfEarlierReleasesStayReadableAndRedrivenOnesAreBound() {
        encrypt(queue);
        // Upkeep enables bindings again only when no server of an earlier release runs.
        server.update("insert into queen.server (id, hostname, port, worker_id, pid, started_at, seen_at, report)"
                + " values (gen_random_uuid(), 'earlier', 1, 'earlier', 1, now(), now() + interval '1 hour', 0)");
        server.update("update queen.system_state set binds_messages = false");
        try {
            Await.until(() -> {
                queen.push(queue, "old", "m" + System.nanoTime());
                return bindings().contains(null);
            });
        } finally {
            server.update("delete from queen.server where hostname = 'earlier'");
            server.update("update queen.system_state set binds_messages = true");
        }
        Answer popped = queen.popPartition(queue, "old", "batch=1000");
        assertThat(popped.status()).isEqualTo(200);
        assertThat(popped.messages()).allMatch(message -> message.at("/data/text").asText().startsWith("m"));

        queen.ack(popped.messages().getLast(), "dlq");
        queen.post("/api/v1/dlq/redrive", "{\"queue\":\"%s\"}".formatted(queue));

        Await.until(() -> bindings().contains("partition"));
    }

    /** Servers of an earlier release could not decrypt bound messages. */
    @Test
    void messagesAreNotBoundWhileAServerOfAnotherReleaseRuns() {
        encrypt(queue);
        server.update("insert into queen.server (id, hostname, port, worker_id, pid, started_at, seen_at, report)"
                + " values (gen_random_uuid(), 'earlier', 1, 'earlier', 1, now(), now() + interval '1 hour', 0)");
        server.update("update queen.system_state set binds_messages = false");
        server.update("update queen.migration set breaking = null where number = 11");

        encrypt(server.newQueue());
        assertThat(server.select("select binds_messages from queen.system_state")).containsExactly("f");
        assertThat(server.select("select breaking from queen.migration where number = 11"))
                .containsExactly((String) null);

        server.update("delete from queen.server where hostname = 'earlier'");
        encrypt(server.newQueue());
        assertThat(server.select("select binds_messages from queen.system_state")).containsExactly("t");
        assertThat(server.select("select breaking from queen.migration where number = 11").getFirst())
                .contains("bound to their position");
    }

    private static void assertRejected(Answer answer, String reason) {
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.json().get("error").asText()).contains("cannot be decrypted", reason);
    }

    private void encrypt(String name) {
        assertThat(queen.configure(name, "{\"encryptionEnabled\":true}").status()).isEqualTo(200);
        Await.until(() -> queen.get("/health").status() == 200);
    }

    private List<String> bindings() {
        return server.select("select data ->> 'bound' from queen.message where queue = ?", queue);
    }

    private static String partitionId(String queue, String partition) {
        return server.select("select p.id from queen.partition p join queen.queue q on q.id = p.queue_id"
                + " where q.name = ? and p.name = ?", queue, partition).getFirst();
    }
}
