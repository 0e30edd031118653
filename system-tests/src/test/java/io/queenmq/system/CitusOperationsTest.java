package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.CitusCluster;
import io.queenmq.testkit.CitusDatabase;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.QueenClient.Answer;
import io.queenmq.testkit.QueenClient.Message;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Every operation once on a Citus cluster, by a server that connects to the workers and by one that does not. */
@Tag("citus")
class CitusOperationsTest {
    private static final List<String> LANES = IntStream.range(0, 12).mapToObj("lane-%02d"::formatted).toList();
    private static final String KEY = "ab".repeat(32);

    @TempDir
    private static Path data;

    private static CitusDatabase database;

    @BeforeAll
    static void createDatabase() {
        database = CitusCluster.fromEnvironment().createDatabase();
    }

    @AfterAll
    static void dropDatabase() {
        database.close();
    }

    @Nested
    class ThroughTheWorkers extends Operations {
        ThroughTheWorkers() {
            super("true");
        }
    }

    @Nested
    class ThroughTheCoordinator extends Operations {
        ThroughTheCoordinator() {
            super("false");
        }
    }

    @TestInstance(Lifecycle.PER_CLASS)
    abstract static class Operations {
        private final String isDirect;
        private int queues;
        private QueenProcess process;
        private QueenClient queen;

        Operations(String isDirect) {
            this.isDirect = isDirect;
        }

        @BeforeAll
        void start() {
            Map<String, String> settings = new HashMap<>(OnCitus.settings(database, data.resolve(isDirect)));
            settings.putAll(
                    Map.of("QUEEN_CITUS_DIRECT", isDirect, "RETENTION_INTERVAL", "1000", "EVICTION_INTERVAL", "1000",
                            "STATS_INTERVAL_MS", "1000", "QUEEN_ENCRYPTION_KEY", KEY));
            process = QueenProcess.start(settings);
            queen = process.client();
        }

        @AfterAll
        void stop() {
            process.close();
        }

        @Test
        void messagesArePushedOnceAndDeliveredInOrder() {
            String queue = newQueue(Map.of());
            for (int i = 0; i < 3; i++) {
                pushToAll(queue, "m" + i);
            }
            assertThat(queen.push(queue, LANES.getFirst(), List.of("m0-" + LANES.getFirst())).body().at("/0/status")
                    .asText())
                    .isEqualTo("duplicate");

            List<Message> got = drain(queue, "workers", 36);

            for (String lane : LANES) {
                assertThat(got.stream().filter(m -> m.partition().equals(lane)).map(Message::transactionId))
                        .containsExactly("m0-" + lane, "m1-" + lane, "m2-" + lane);
            }
        }

        @Test
        void aQueueTakesNoMoreThanItsMaxSize() {
            String queue = newQueue(Map.of("maxSize", 12));
            pushToAll(queue, "m");
            assertThat(queen.push(queue, "one-more", List.of("x")).body().toString()).contains("full");

            drain(queue, null, 12);
            assertThat(queen.push(queue, "one-more", List.of("y")).body().at("/0/status").asText()).isEqualTo("queued");
        }

        @Test
        void payloadsAreEncrypted() {
            String queue = newQueue(Map.of("encryptionEnabled", true));
            pushToAll(queue, "secret");

            assertThat(drain(queue, null, 12)).hasSize(12);
            assertThat(OnCitus.number(database.coordinator(),
                    "select count(*) from queen.segment s join queen.partition p on p.id = s.partition_id join queen.queue q"
                            + " on q.id = p.queue_id where q.name = '" + queue
                            + "' and position('\"isEncrypted\":true'::bytea in s.body) = 0"))
                    .isZero();
        }

        @Test
        void whatFailsIsRetriedBuriedAndRedriven() {
            String queue = newQueue(
                    Map.of("retryLimit", 1, "retryDelay", 0, "deadLetterQueue", true, "dlqAfterMaxRetries", true));
            queen.push(queue, "lane", List.of("bad"));
            fail(queue, "first");
            fail(queue, "second");

            JsonNode dead = get("/api/v1/dlq?queue=" + queue);
            assertThat(dead.get("total").asInt()).isOne();
            assertThat(dead.at("/messages/0/errorMessage").asText()).isEqualTo("second");
            String lane = dead.at("/messages/0/partitionId").asText();
            assertThat(get("/api/v1/dlq/errors?queue=" + queue).at("/errors/0/count").asInt()).isOne();
            assertThat(get("/api/v1/dlq/" + lane + "/bad").get("transactionId").asText()).isEqualTo("bad");
            assertThat(post("/api/v1/dlq/redrive", Map.of("queue", queue, "dryRun", true)).get("total").asInt())
                    .isOne();
            post("/api/v1/messages/" + lane + "/bad/retry", Map.of());
            fail(queue, "third");
            fail(queue, "fourth");
            post("/api/v1/dlq/redrive", Map.of("queue", queue));
            drain(queue, "workers", 1);

            queen.push(queue, "lane", List.of("buried"));
            assertThat(queen.pop(queue, "lane", "workers", "batch=1").messages()).hasSize(1);
            post("/api/v1/messages/" + lane + "/buried/dlq", Map.of("consumerGroup", "workers"));
            assertThat(delete("/api/v1/dlq?queue=" + queue).get("purged").asInt()).isOne();
        }

        @Test
        void leasesAreExtendedAndRunOut() {
            String queue = newQueue(Map.of("leaseTime", 1, "retryLimit", 9, "retryDelay", 0));
            queen.push(queue, "lane", List.of("m"));
            Message first = popOne(queue, null);
            post("/api/v1/lease/" + first.leaseId() + "/extend", Map.of("seconds", 2));

            Message again = popOne(queue, null);

            assertThat(again.leaseId()).isNotEqualTo(first.leaseId());
            assertThat(queen.ack(null, List.of(again.ack("completed"))).isOk()).isTrue();
        }

        @Test
        void oldMessagesAreEvictedAndRemoved() {
            String queue = newQueue(Map.of("maxWaitTimeSeconds", 1, "retentionEnabled", true, "retentionSeconds", 1,
                    "completedRetentionSeconds", 1));
            pushToAll(queue, "m");

            QueenProcess.await("everything has gone",
                    () -> get("/api/v1/resources/queues/" + queue).at("/totals/total").asInt() == 0);
            assertThat(get("/api/v1/analytics/retention").toString()).isNotEmpty();
        }

        @Test
        void transactionsAreWholeInOneShardAndOverSeveral() {
            String in = newQueue(Map.of());
            String out = newQueue(Map.of());
            pushToAll(in, "m");
            List<Message> held = new ArrayList<>();
            QueenProcess.await("all are leased", () -> {
                held.addAll(queen.pop(in, null, null, "batch=20&partitions=20").messages());
                return held.size() == LANES.size();
            });

            assertThat(transact(held, out, LANES).get("success").asBoolean()).isTrue();
            assertThat(drain(out, null, 12)).hasSize(12);
            queen.push(in, "lane-00", List.of("again"));
            assertThat(transact(List.of(popOne(in, null)), in, List.of("lane-00")).get("success").asBoolean()).isTrue();
            assertThat(transact(held, out, List.of("never")).get("success").asBoolean()).isFalse();
            assertThat(drain(in, null, 1)).extracting(Message::transactionId).containsExactly("t-lane-00");
        }

        @Test
        void groupsBeginWhereTheySayAndAreMovedByOperators() throws InterruptedException {
            String queue = newQueue(Map.of());
            pushToAll(queue, "early");
            assertThat(queen.pop(queue, null, "late", "subscriptionMode=new").messages()).isEmpty();
            pushToAll(queue, "later");
            assertThat(drain(queue, "late", 12)).allMatch(m -> m.transactionId().startsWith("later"));
            String group = "/api/v1/consumer-groups/late/queues/" + queue;

            post(group + "/seek", Map.of("toBeginning", true));
            Thread.sleep(1500);
            assertThat(drain(queue, "late", 24)).hasSize(24);
            post(group + "/seek", Map.of("timestamp", "2020-01-01T00:00:00Z"));
            post(group + "/seek", Map.of("toEnd", true));
            post(group + "/partitions/lane-03/seek", Map.of("toBeginning", true));
            assertThat(post(group + "/partitions/lane-03/skip", Map.of()).get("skippedOffset").asInt()).isZero();
            for (String change : List.of("pause", "resume")) {
                post(group + "/" + change, Map.of());
                post("/api/v1/resources/queues/" + queue + "/" + change, Map.of());
            }
            assertThat(get("/api/v1/consumer-groups/late").at("/" + queue + "/partitions").size())
                    .isGreaterThanOrEqualTo(12);
            post("/api/v1/consumer-groups/late/subscription", Map.of("subscriptionTimestamp", "2020-01-01T00:00:00Z"));
            delete("/api/v1/consumer-groups/late/queues/" + queue);
        }

        @Test
        void messagesAreLookedAtExplainedTracedAndRemoved() {
            String queue = newQueue(Map.of());
            pushToAll(queue, "m");
            assertThat(get("/api/v1/messages?queue=" + queue).get("messages")).hasSize(12);
            assertThat(get("/api/v1/messages?queue=" + queue + "&status=pending&partition=lane-05").get("messages"))
                    .hasSize(1);
            assertThat(get("/api/v1/status/queues/" + queue + "/messages").toString()).contains("m-lane-11");
            JsonNode message = get("/api/v1/messages?queue=" + queue + "&partition=lane-05").at("/messages/0");
            String lane = message.get("partitionId").asText();
            String path = lane + "/" + message.get("transactionId").asText();

            assertThat(get("/api/v1/messages/" + path).get("payload").asText()).isEqualTo("m-lane-05");
            assertThat(get("/api/v1/explain/" + lane).get("state").asText()).isEqualTo("ready");
            assertThat(get("/api/v1/explain/" + path + "?consumerGroup=never").get("state").asText())
                    .isEqualTo("unsubscribed");
            post("/api/v1/traces",
                    Map.of("transactionId", "m-lane-05", "partitionId", lane, "eventType", "info", "data",
                            Map.of("a", 1), "traceNames", List.of("trace-" + queue)));
            assertThat(get("/api/v1/traces/by-name/trace-" + queue).at("/traces/0/partition_name").asText())
                    .isEqualTo("lane-05");
            assertThat(get("/api/v1/traces/" + path).get("traces")).hasSize(1);
            assertThat(delete("/api/v1/messages/" + path).get("success").asBoolean()).isTrue();
            assertThat(get("/api/v1/explain/" + path).get("state").asText()).isEqualTo("removed");
            post("/api/v1/partitions/" + lane + "/pause", Map.of());
            assertThat(get("/api/v1/partitions/" + lane).get("paused").asBoolean()).isTrue();
            post("/api/v1/partitions/" + lane + "/resume", Map.of());
            delete("/api/v1/queues/" + queue + "/clear");
            delete("/api/v1/resources/queues/" + queue);
            assertThat(OnCitus.number(database.coordinator(),
                    "select count(*) from queen.partition where id = '" + lane + "'")).isZero();
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
            for (int i = 0; i < LANES.size(); i++) {
                Message message = popOne(in, group);
                JsonNode done = post("/streams/v1/cycle", Map.of("query_id", id, "partition_id", message.partitionId(),
                        "consumer_group", group, "state_ops",
                        List.of(Map.of("type", "upsert", "key", "k", "value", Map.of("n", i))),
                        "push_items",
                        Stream.of("a", "b", "c").map(lane -> Map.of("queue", out, "partition", lane, "payload", 1))
                                .toList(),
                        "ack",
                        Map.of("transactionId", message.transactionId(), "leaseId", message.leaseId(), "status",
                                "completed"),
                        "release_lease", true));
                assertThat(done.get("success").asBoolean()).as("%s", done).isTrue();
                assertThat(post("/streams/v1/state/get",
                        Map.of("query_id", id, "partition_id", message.partitionId(), "keys",
                                List.of("k")))
                        .get("rows")).hasSize(1);
            }

            assertThat(drain(out, null, 36)).hasSize(36);
            assertThat(get("/streams/v1/queries/" + name).get("partitions")).hasSize(12);
            assertThat(get("/streams/v1/queries/" + name + "/partitions/lane-04/state").get("rows")).hasSize(1);
            assertThat(get("/streams/v1/queries").toString()).contains(name);
            delete("/streams/v1/queries/" + name);
        }

        @Test
        void everyPageOfNumbersIsAnswered() throws IOException, InterruptedException {
            String queue = newQueue(Map.of());
            pushToAll(queue, "m");
            drain(queue, "workers", 12);
            post("/api/v1/stats/refresh", Map.of());
            for (String path : List.of("consumer-groups", "consumer-groups/lagging?minLagSeconds=0",
                    "resources/partitions",
                    "resources/queues", "resources/namespaces", "resources/tasks", "resources/overview", "status",
                    "status/analytics",
                    "status/queues", "status/buffers", "analytics/system-metrics", "analytics/worker-metrics",
                    "analytics/queue-lag",
                    "analytics/queue-ops", "analytics/queue-parked-replicas", "analytics/retention",
                    "analytics/postgres-stats",
                    "analytics/shards", "system/maintenance", "system/spool", "system/audit")) {
                get("/api/v1/" + path);
            }
            assertThat(get("/api/v1/resources/queues/" + queue).get("partitions").findValuesAsText("name"))
                    .containsAll(LANES);
            assertThat(get("/api/v1/status/queues/" + queue).get("partitions").findValuesAsText("name"))
                    .containsAll(LANES);
            JsonNode page = get("/api/v1/resources/queues/" + queue + "/partitions?limit=5");
            assertThat(page.get("partitions")).hasSize(5);
            assertThat(page.get("next").asText()).isNotEmpty();
            get("/api/v1/resources/queues/" + queue + "/partitions?sort=lag");
            try (HttpClient plain = HttpClient.newHttpClient()) {
                var metrics = plain.send(
                        HttpRequest.newBuilder(URI.create(process.url() + "/metrics/prometheus")).build(),
                        BodyHandlers.ofString());
                assertThat(metrics.statusCode()).isEqualTo(200);
                assertThat(metrics.body()).contains("queen_queue_depth");
            }
            for (boolean isOn : new boolean[]{true, false}) {
                post("/api/v1/system/maintenance", Map.of("enabled", isOn));
                post("/api/v1/system/maintenance/pop", Map.of("enabled", isOn));
            }
        }

        @Test
        void programsPushAndAckInTheirOwnTransactionsOverSeveralShards() throws SQLException {
            String queue = newQueue(Map.of());
            try (Connection connection = database.coordinator().connect()) {
                connection.setAutoCommit(false);
                pushWithin(connection, queue, "kept");
                connection.commit();
                pushWithin(connection, queue, "given up");
                connection.rollback();
            }
            List<Message> got = new ArrayList<>();
            QueenProcess.await("all are leased", () -> {
                got.addAll(queen.pop(queue, null, null, "batch=20&partitions=20").messages());
                return got.size() == LANES.size();
            });
            assertThat(got).allMatch(m -> m.transactionId().startsWith("kept"));
            try (Connection connection = database.coordinator().connect()) {
                connection.setAutoCommit(false);
                for (Message m : got) {
                    try (var ack = connection
                            .prepareStatement("select queen.ack(?::uuid, '__QUEUE_MODE__', ?::uuid, ?)")) {
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

        private static void pushWithin(Connection connection, String queue, String prefix) throws SQLException {
            for (String lane : LANES) {
                try (var push = connection.prepareStatement("select queen.push(?, ?, '{}'::jsonb, ?)")) {
                    push.setString(1, queue);
                    push.setString(2, lane);
                    push.setString(3, prefix + lane);
                    push.execute();
                }
            }
        }

        private String newQueue(Map<String, ?> options) {
            String queue = "queue-" + isDirect + "-" + ++queues;
            assertThat(queen.configure(queue, options).isOk()).isTrue();
            return queue;
        }

        private void pushToAll(String queue, String prefix) {
            Answer answer = queen.post("/api/v1/push", Map.of("items", LANES.stream()
                    .flatMap(lane -> QueenClient.items(queue, lane, List.of(prefix + "-" + lane)).stream()).toList()));
            assertThat(answer.body()).as("%s", answer).hasSize(LANES.size())
                    .allMatch(each -> each.get("status").asText().equals("queued"));
        }

        private List<Message> drain(String queue, String group, int count) {
            List<Message> got = new ArrayList<>();
            QueenProcess.await(count + " messages of " + queue, () -> {
                List<Message> some = queen.pop(queue, null, group, "batch=100&partitions=10").messages();
                if (!some.isEmpty()) {
                    assertThat(queen.ack(group, some.stream().map(m -> m.ack("completed")).toList()).isOk()).isTrue();
                    got.addAll(some);
                }
                return got.size() >= count;
            });
            return got;
        }

        private Message popOne(String queue, String group) {
            List<Message> got = new ArrayList<>();
            QueenProcess.await("a message of " + queue, () -> {
                got.addAll(queen.pop(queue, null, group, "batch=1").messages());
                return !got.isEmpty();
            });
            return got.getFirst();
        }

        private void fail(String queue, String error) {
            Map<String, String> failed = new HashMap<>(popOne(queue, "workers").ack("failed"));
            failed.put("error", error);
            assertThat(queen.ack("workers", List.of(failed)).isOk()).isTrue();
        }

        private JsonNode transact(List<Message> held, String queue, List<String> lanes) {
            List<Map<String, ?>> operations = new ArrayList<>();
            for (Message m : held) {
                Map<String, String> ack = new HashMap<>(m.ack("completed"));
                ack.put("type", "ack");
                operations.add(ack);
            }
            operations.add(Map.of("type", "push", "items",
                    lanes.stream().flatMap(lane -> QueenClient.items(queue, lane, List.of("t-" + lane)).stream())
                            .toList()));
            return queen.post("/api/v1/transaction", Map.of("operations", operations, "requiredLeases",
                    held.stream().map(Message::leaseId).distinct().toList())).body();
        }

        private JsonNode get(String path) {
            return ok(path, queen.get(path));
        }

        private JsonNode post(String path, Object body) {
            return ok(path, queen.post(path, body));
        }

        private JsonNode delete(String path) {
            return ok(path, queen.delete(path));
        }

        private static JsonNode ok(String path, Answer answer) {
            assertThat(answer.isOk()).as("%s: %s", path, answer).isTrue();
            return answer.body();
        }
    }
}
