package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queenmq.testkit.Await;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The operations of two servers are counted exactly, and every route reports the same numbers. */
class NumbersTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("METRICS_REPORT_INTERVAL_MS", "100"));

    private static QueenClient there;

    private final QueenClient here = server.client();
    private final String queue = server.newQueue();

    @BeforeAll
    static void startOther() {
        there = server.startAnother();
    }

    /**
     * Pushes seven messages to two partitions, two of them in a transaction that acks one, and one message twice. In partition a,
     * two messages are acked, one is dead-lettered and one fails. In partition b, one is read with autoAck.
     */
    private void work() {
        here.configure(queue, "{\"retryLimit\":0,\"retryDelay\":0,\"leaseTime\":60}");
        here.push(queue, "a", "1", "2", "3");
        there.push(queue, "a", "4");
        there.push(queue, "a", "4");
        here.push(queue, "b", "5");
        Await.until(() -> !here.popPartition(queue, "b", "autoAck=true").isEmpty());
        there.popPartition(queue, "no such partition");
        Answer popped = awaitPop(there, "batch=3");
        List<JsonNode> messages = popped.messages();
        there.ack(messages.get(0), "completed");
        there.ackBatch("__QUEUE_MODE__", QueenClient.acknowledgment(messages.get(1), "completed"),
                QueenClient.acknowledgment(messages.get(2), "dlq"));
        Answer last = awaitPop(here, "batch=1");
        here.post("/api/v1/transaction",
                """
                {"requiredLeases":["%s"],"operations":[
                 {"type":"ack","transactionId":"%s","partitionId":"%s"},
                 {"type":"push","items":[{"queue":"%s","partition":"b","payload":1},
                  {"queue":"%s","partition":"b","payload":2}]}]}""".formatted(last.leaseId(),
                        last.message().get("transactionId").asText(), last.message().get("partitionId").asText(), queue,
                        queue));
    }

    private Answer awaitPop(QueenClient client, String parameter) {
        List<Answer> found = new ArrayList<>();
        Await.until(() -> {
            Answer answer = client.popPartition(queue, "a", parameter, "wait=true", "timeout=1000");
            if (!answer.isEmpty()) {
                found.add(answer);
            }
            return !found.isEmpty();
        });
        return found.getFirst();
    }

    @Test
    void everyOperationIsCountedOnceInItsQueue() {
        work();

        JsonNode counted = awaitReports();

        assertThat(counted.get("pushRequests").asInt()).isEqualTo(4);
        assertThat(counted.get("popMessages").asInt()).isEqualTo(5);
        assertThat(counted.get("popEmpty").asInt()).isPositive();
        assertThat(counted.get("ackRequests").asInt()).isEqualTo(2);
        assertThat(counted.get("ackSuccess").asInt()).as("two, one by a transaction, one by autoAck").isEqualTo(4);
        assertThat(counted.get("ackFailed").asInt()).isEqualTo(1);
        assertThat(counted.get("transactions").asInt()).isEqualTo(1);
        assertThat(counted.get("partitionsCreated").asInt()).isEqualTo(2);
    }

    /** Sums the series of the queue: a bucket covers a minute, and the work may span two buckets. */
    private JsonNode operations() {
        JsonNode page = here.get("/api/v1/analytics/queue-ops?queue=" + queue).json();
        assertThat(page.get("bucketMinutes").asInt()).isEqualTo(1);
        return sumOf(page.get("series"));
    }

    private static JsonNode sumOf(JsonNode series) {
        ObjectNode sum = JsonNodeFactory.instance.objectNode();
        series.forEach(point -> point.properties().forEach(field -> {
            if (field.getValue().isNumber()) {
                sum.put(field.getKey(), sum.path(field.getKey()).asDouble() + field.getValue().asDouble());
            }
        }));
        return sum;
    }

    /** Waits until both servers have reported all operations. */
    private JsonNode awaitReports() {
        Await.until(() -> {
            JsonNode counted = operations();
            return counted.path("ackSuccess").asInt() >= 4 && counted.path("ackFailed").asInt() >= 1
                    && counted.path("pushMessages").asInt() >= 7 && counted.path("transactions").asInt() >= 1;
        });
        here.post("/api/v1/stats/refresh", "");
        return operations();
    }

    @Test
    void theStatusOfAQueueIsTheSumOfBothServers() {
        work();
        awaitReports();

        JsonNode status = here.get("/api/v1/status?queue=" + queue).json();
        JsonNode throughput = sumOf(status.get("throughput"));

        assertThat(status.get("pointCount").asInt()).isEqualTo(status.get("throughput").size()).isEqualTo(61);
        assertThat(throughput.get("ingested").asInt()).isEqualTo(7);
        assertThat(throughput.get("processed").asInt()).isEqualTo(4);
        assertThat(throughput.get("popMessages").asInt()).isEqualTo(5);
        assertThat(throughput.get("dlqCount").asInt()).isEqualTo(1);
        assertThat(status.at("/messages/requests/push").asInt()).isEqualTo(4);
        assertThat(status.at("/messages/batchEfficiency/push").asDouble()).isEqualTo(1.75);
        assertThat(status.at("/messages/total").asInt()).isEqualTo(7);
        assertThat(status.at("/messages/pending").asInt()).isEqualTo(2);
        assertThat(status.at("/messages/completed").asInt()).isEqualTo(4);
        assertThat(status.at("/messages/deadLetter").asInt()).isEqualTo(1);
        assertThat(status.at("/deadLetterQueue/affectedPartitions").asInt()).isEqualTo(1);
        assertThat(status.at("/errors/dlqMessages").asInt()).isEqualTo(1);
        assertThat(status.at("/queues/0/name").asText()).isEqualTo(queue);
        assertThat(status.at("/queues/0/partitions").asInt()).isGreaterThanOrEqualTo(2);
        assertThat(Answer.fieldsOf(status)).containsExactlyInAnyOrder("timeRange", "bucketMinutes", "pointCount",
                "throughput", "queues", "messages", "leases", "deadLetterQueue", "workers", "errors", "refusals",
                "statsAge");
        assertThat(Instant.parse(status.at("/throughput/0/timestamp").asText()))
                .isAfter(Instant.parse(status.at("/throughput/1/timestamp").asText()));
    }

    @Test
    void queuesAndPartitionsReportTheirMessages() {
        work();
        awaitReports();

        JsonNode listed = here.get("/api/v1/status/queues?limit=1000").json();
        JsonNode one = here.get("/api/v1/status/queues/" + queue).json();

        assertThat(listed.get("queues")).filteredOn(each -> each.get("name").asText().equals(queue)).singleElement()
                .satisfies(each -> assertThat(each.at("/messages/pending").asInt()).isEqualTo(2));
        assertThat(listed.at("/pagination/total").asInt()).isEqualTo(listed.get("queues").size());
        assertThat(one.at("/queue/config/leaseTime").asInt()).isEqualTo(60);
        JsonNode partitionA = partition(one, "a");
        assertThat(partitionA.at("/messages/total").asInt()).isEqualTo(4);
        assertThat(partitionA.at("/messages/completed").asInt()).isEqualTo(3);
        assertThat(partitionA.at("/stats/deadLetter").asInt()).isEqualTo(1);
        assertThat(partitionA.at("/cursor/totalConsumed").asInt()).isEqualTo(3);
        assertThat(partition(one, "b").at("/messages/pending").asInt()).isEqualTo(2);
        assertThat(Instant.parse(partitionA.get("oldestMessage").asText()))
                .isBefore(Instant.parse(partitionA.get("newestMessage").asText()));
        assertThat(one.at("/totals/total").asInt()).isEqualTo(one.at("/totals/messages/total").asInt()).isEqualTo(7);
        assertThat(one.at("/totals/completed").asInt()).isEqualTo(4);
        assertThat(one.at("/totals/deadLetter").asInt()).isEqualTo(1);
        assertThat(here.get("/api/v1/status/queues/missing").status()).isEqualTo(404);
    }

    private static JsonNode partition(JsonNode page, String name) {
        for (JsonNode partition : page.get("partitions")) {
            if (partition.get("name").asText().equals(name)) {
                return partition;
            }
        }
        throw new AssertionError("no partition " + name + " in " + page);
    }

    @Test
    void partitionsOfAQueueAreListedInPages() {
        here.push(queue, "a", "1");
        here.push(queue, "b", "2");
        here.push(queue, "c", "3");

        JsonNode first = here.get("/api/v1/status/queues/" + queue + "?limit=2").json();
        JsonNode second = here
                .get("/api/v1/status/queues/" + queue + "?limit=2&after=" + first.at("/pagination/next").asText())
                .json();

        assertThat(first.get("partitions")).extracting(partition -> partition.get("name").asText()).containsExactly("a",
                "b");
        assertThat(second.get("partitions")).extracting(partition -> partition.get("name").asText())
                .containsExactly("c");
        assertThat(second.at("/pagination/next").isNull()).isTrue();
    }

    @Test
    void pushesAreCountedOverTimeByQueueAndNamespace() {
        here.post("/api/v1/configure",
                "{\"queue\":\"" + queue + "\",\"namespace\":\"of-" + queue + "\",\"task\":\"t\"}");
        here.push(queue, "a", "1", "2");
        Await.until(() -> operations().path("pushMessages").asInt() == 2);

        for (String filter : List.of("queue=" + queue, "namespace=of-" + queue, "namespace=of-" + queue + "&task=t")) {
            JsonNode page = here.get("/api/v1/status/analytics?interval=hour&" + filter).json();
            assertThat(page.get("dataPoints")).hasSize(25);
            assertThat(sumOf(page.get("dataPoints")).get("messages").asInt()).as(filter).isEqualTo(2);
            assertThat(page.get("interval").asText()).isEqualTo("hour");
        }
        assertThat(sumOf(here.get("/api/v1/status/analytics?task=another").json().get("dataPoints")).get("messages")
                .asInt()).isZero();
    }

    @Test
    void lagIsTheAgeOfPoppedMessages() {
        here.push(queue, "a", "1", "2");
        server.age(queue, 30);
        server.stop();
        server.start();
        QueenClient again = server.client();
        Await.until(() -> again.popPartition(queue, "a", "batch=2").messages().size() == 2);

        Await.until(() -> !again.get("/api/v1/analytics/queue-lag?queue=" + queue).list().isEmpty());
        JsonNode lag = again.get("/api/v1/analytics/queue-lag?queue=" + queue).list().getFirst();

        assertThat(lag.get("popCount").asInt()).isEqualTo(2);
        assertThat(lag.get("avgLagMs").asInt()).isBetween(30_000, 90_000);
        assertThat(lag.get("maxLagMs").asInt()).isBetween(30_000, 90_000);
        assertThat(lag.get("queueName").asText()).isEqualTo(queue);
    }

    @Test
    void waitingPopsAreCountedOnTheirServer() {
        here.configure(queue, "{}");
        List<CompletableFuture<Answer>> waiting = new ArrayList<>();
        waiting.add(here.popLater(queue, "wait=true", "timeout=20000"));
        waiting.add(here.popPartitionLater(queue, "a", "wait=true", "timeout=20000"));
        Await.until(() -> there.get("/api/v1/status/queues/" + queue).status() == 200);
        waiting.add(there.popLater(queue, "wait=true", "timeout=20000"));

        Await.until(() -> waitingPopsByWorker().containsValue(2) && waitingPopsByWorker().containsValue(1));
        assertThat(waitingPopsByWorker()).hasSize(2);
        here.push(queue, "a", "1");
        here.push(queue, "b", "2");
        here.push(queue, "c", "3");
        waiting.forEach(CompletableFuture::join);
    }

    private Map<String, Integer> waitingPopsByWorker() {
        Map<String, Integer> most = new HashMap<>();
        here.get("/api/v1/analytics/queue-parked-replicas?queue=" + queue).json().get("series").forEach(
                point -> most.merge(point.get("workerId").asText(), point.get("parkedCount").asInt(), Math::max));
        return most;
    }

    @Test
    void aMessageDeadLetteredByLeaseExpiryIsCounted() {
        here.configure(queue, "{\"retryLimit\":0,\"retryDelay\":0,\"leaseTime\":60}");
        here.push(queue, "a", "1");
        here.pop(queue);
        server.expireLeases(queue);
        Await.until(() -> here.popPartition(queue, "a").isEmpty() && !server.deadLetters(queue).isEmpty());

        Await.until(() -> here.get("/api/v1/status?queue=" + queue).json().at("/errors/dlqMessages").asInt() == 1);
    }

    @Test
    void lostConnectionsDoNotChangeTheNumbers() {
        here.configure(queue, "{}");
        List<CompletableFuture<Answer>> pushes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            pushes.add(here.pushLater(queue, "partition-" + i % 3, "m" + i));
            if (i % 20 == 10) {
                server.select("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'queen'"
                        + " and datname = current_database() and pid <> pg_backend_pid()");
            }
        }
        pushes.forEach(push -> assertThat(push.join().status()).isEqualTo(201));

        Await.until(() -> recordedPushes() == 100);
        long reports = reports();
        Await.until(() -> reports() > reports + 2);
        assertThat(recordedPushes()).isEqualTo(100);
    }

    private long recordedPushes() {
        return Long.parseLong(server
                .select("select coalesce(sum(b.push_messages), 0) from queen.queue_bucket b"
                        + " join queen.queue q on q.id = b.queue_id where q.name = ? and b.minutes = 1", queue)
                .getFirst());
    }

    private static long reports() {
        return Long.parseLong(server.select(
                "select min(report) from (select report from queen.server" + " order by seen_at desc limit 2) x")
                .getFirst());
    }

    @Test
    void noNumbersAreLostWhenAServerStops() {
        here.push(queue, "a", "1", "2", "3");
        server.stop();
        server.start();

        assertThat(sumOf(server.client().get("/api/v1/analytics/queue-ops?queue=" + queue).json().get("series"))
                .get("pushMessages").asInt()).isEqualTo(3);
    }
}
