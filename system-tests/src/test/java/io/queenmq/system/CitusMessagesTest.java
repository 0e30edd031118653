package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.QueenClient.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Requests of producers, consumers and streams on a Citus cluster. */
class CitusMessagesTest extends CitusOperations {
    @Test
    void messagesArePushedOnceAndDeliveredInOrder() {
        String queue = newQueue(Map.of());
        for (int i = 0; i < 3; i++) {
            pushToAll(queue, "m" + i);
        }
        assertThat(queen().push(queue, PARTITIONS.getFirst(), List.of("m0-" + PARTITIONS.getFirst())).body()
                .at("/0/status").asText()).isEqualTo("duplicate");

        List<Message> got = drain(queue, "workers", 36);

        for (String partition : PARTITIONS) {
            assertThat(got.stream().filter(m -> m.partition().equals(partition)).map(Message::transactionId))
                    .containsExactly("m0-" + partition, "m1-" + partition, "m2-" + partition);
        }
    }

    @Test
    void aQueueAcceptsAtMostItsMaxSize() {
        String queue = newQueue(Map.of("maxSize", 12));
        pushToAll(queue, "m");
        assertThat(queen().push(queue, "one-more", List.of("x")).body().toString()).contains("full");

        drain(queue, null, 12);
        assertThat(queen().push(queue, "one-more", List.of("y")).body().at("/0/status").asText()).isEqualTo("queued");
    }

    @Test
    void payloadsAreEncrypted() {
        String queue = newQueue(Map.of("encryptionEnabled", true));
        pushToAll(queue, "secret");

        assertThat(drain(queue, null, 12)).hasSize(12);
        assertThat(OnCitus.number(coordinator(),
                "select count(*) from queen.segment s join queen.partition p on p.id = s.partition_id join queen.queue q"
                        + " on q.id = p.queue_id where q.name = '" + queue
                        + "' and position('\"isEncrypted\":true'::bytea in s.body) = 0"))
                .isZero();
    }

    @Test
    void leasesAreExtendedAndRunOut() {
        String queue = newQueue(Map.of("leaseTime", 1, "retryLimit", 9, "retryDelay", 0));
        queen().push(queue, "partition", List.of("m"));
        Message first = popOne(queue, null);
        post("/api/v1/lease/" + first.leaseId() + "/extend", Map.of("seconds", 2));

        Message again = popOne(queue, null);

        assertThat(again.leaseId()).isNotEqualTo(first.leaseId());
        assertThat(queen().ack(null, List.of(again.ack("completed"))).isOk()).isTrue();
    }

    @Test
    void oldMessagesAreEvictedAndRemoved() {
        String queue = newQueue(Map.of("maxWaitTimeSeconds", 1, "retentionEnabled", true, "retentionSeconds", 1,
                "completedRetentionSeconds", 1));
        pushToAll(queue, "m");

        Await.until("all rows are deleted",
                () -> get("/api/v1/resources/queues/" + queue).at("/totals/total").asInt() == 0);
        assertThat(get("/api/v1/analytics/retention").toString()).isNotEmpty();
    }

    @Test
    void transactionsAreWholeInOneShardAndOverSeveral() {
        String in = newQueue(Map.of());
        String out = newQueue(Map.of());
        pushToAll(in, "m");
        List<Message> held = new ArrayList<>();
        Await.until("all are leased", () -> {
            held.addAll(queen().pop(in, null, null, "batch=20&partitions=20").messages());
            return held.size() == PARTITIONS.size();
        });

        assertThat(transact(held, out, PARTITIONS).get("success").asBoolean()).isTrue();
        assertThat(drain(out, null, 12)).hasSize(12);
        queen().push(in, "partition-00", List.of("again"));
        assertThat(transact(List.of(popOne(in, null)), in, List.of("partition-00")).get("success").asBoolean())
                .isTrue();
        assertThat(transact(held, out, List.of("never")).get("success").asBoolean()).isFalse();
        assertThat(drain(in, null, 1)).extracting(Message::transactionId).containsExactly("t-partition-00");
    }

    @Test
    void cyclesOfStreamsPushIntoOtherShards() {
        String in = newQueue(Map.of());
        String out = newQueue(Map.of());
        pushToAll(in, "m");
        String name = "query-" + in;
        JsonNode query = post("/streams/v1/queries",
                Map.of("name", name, "source_queue", in, "sink_queue", out, "config_hash", "h"));
        String id = query.get("query_id").asText();
        String group = "streams." + id;
        for (int i = 0; i < PARTITIONS.size(); i++) {
            Message message = popOne(in, group);
            JsonNode done = post("/streams/v1/cycle", Map.of("query_id", id, "partition_id", message.partitionId(),
                    "consumer_group", group, "state_ops",
                    List.of(Map.of("type", "upsert", "key", "k", "value", Map.of("n", i))), "push_items",
                    Stream.of("a", "b", "c")
                            .map(partition -> Map.of("queue", out, "partition", partition, "payload", 1)).toList(),
                    "ack", Map.of("transactionId", message.transactionId(), "leaseId", message.leaseId(), "status",
                            "completed"),
                    "release_lease", true));
            assertThat(done.get("success").asBoolean()).as("%s", done).isTrue();
            assertThat(post("/streams/v1/state/get",
                    Map.of("query_id", id, "partition_id", message.partitionId(), "keys", List.of("k"))).get("rows"))
                    .hasSize(1);
        }

        assertThat(drain(out, null, 36)).hasSize(36);
        assertThat(get("/streams/v1/queries/" + name).get("partitions")).hasSize(12);
        assertThat(get("/streams/v1/queries/" + name + "/partitions/partition-04/state").get("rows")).hasSize(1);
        assertThat(get("/streams/v1/queries").toString()).contains(name);
        delete("/streams/v1/queries/" + name);
    }

    @Test
    void programsPushAndAckInTheirOwnTransactionsOverSeveralShards() throws SQLException {
        String queue = newQueue(Map.of());
        try (Connection connection = coordinator().connect()) {
            connection.setAutoCommit(false);
            pushWithin(connection, queue, "kept");
            connection.commit();
            pushWithin(connection, queue, "given up");
            connection.rollback();
        }
        List<Message> got = new ArrayList<>();
        Await.until("all are leased", () -> {
            got.addAll(queen().pop(queue, null, null, "batch=20&partitions=20").messages());
            return got.size() == PARTITIONS.size();
        });
        assertThat(got).allMatch(m -> m.transactionId().startsWith("kept"));
        try (Connection connection = coordinator().connect()) {
            connection.setAutoCommit(false);
            for (Message m : got) {
                try (var ack = connection.prepareStatement("select queen.ack(?::uuid, '__QUEUE_MODE__', ?::uuid, ?)")) {
                    ack.setString(1, m.partitionId());
                    ack.setString(2, m.leaseId());
                    ack.setString(3, m.transactionId());
                    ack.execute();
                }
            }
            connection.commit();
        }
        assertThat(get("/api/v1/resources/queues/" + queue).at("/totals/pending").asInt()).isZero();
    }

    private JsonNode transact(List<Message> held, String queue, List<String> partitions) {
        List<Map<String, ?>> operations = new ArrayList<>();
        for (Message m : held) {
            Map<String, String> ack = new HashMap<>(m.ack("completed"));
            ack.put("type", "ack");
            operations.add(ack);
        }
        operations.add(Map.of("type", "push", "items",
                partitions.stream()
                        .flatMap(partition -> QueenClient.items(queue, partition, List.of("t-" + partition)).stream())
                        .toList()));
        return queen().post("/api/v1/transaction", Map.of("operations", operations, "requiredLeases",
                held.stream().map(Message::leaseId).distinct().toList())).body();
    }

    private static void pushWithin(Connection connection, String queue, String prefix) throws SQLException {
        for (String partition : PARTITIONS) {
            try (var push = connection.prepareStatement("select queen.push(?, ?, '{}'::jsonb, ?)")) {
                push.setString(1, queue);
                push.setString(2, partition);
                push.setString(3, prefix + partition);
                push.execute();
            }
        }
    }
}
