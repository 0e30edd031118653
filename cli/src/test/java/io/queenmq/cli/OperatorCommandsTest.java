package io.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queenmq.cli.CliServer.Ran;
import io.queenmq.client.Json;
import io.queenmq.client.Queen;
import io.queenmq.testkit.Await;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The commands of operators: queues, partitions, groups, messages, traces, status. */
class OperatorCommandsTest {
    @RegisterExtension
    static final CliServer queen = new CliServer(Map.of("METRICS_REPORT_INTERVAL_MS", "100", "STATS_INTERVAL_MS", "100",
            "SPOOL_ENABLED", "true", "SPOOL_DIR", "target/spool-" + ProcessHandle.current().pid()));

    private final String queue = CliServer.newQueue();

    @BeforeEach
    void push() {
        queen.runWithInput("{\"i\":1,\"l\":\"a\"}\n{\"i\":2,\"l\":\"a\"}\n{\"i\":3,\"l\":\"b\"}\n", "push", queue,
                "--partition-key", "l", "--transaction-key", "i").ok();
    }

    @Test
    void queuesAreListedWithTheirContents() {
        JsonNode all = queen.run("queue", "list", "--fresh", "--search", queue, "-o", "json").ok().json();

        assertThat(all).anySatisfy(each -> {
            assertThat(each.get("name").asText()).isEqualTo(queue);
            assertThat(each.get("partitions").asInt()).isEqualTo(2);
            assertThat(each.get("messages").asInt()).isEqualTo(3);
            assertThat(each.get("deadLetters").asInt()).isZero();
            assertThat(each.get("consumers").asInt()).isZero();
        });
        assertThat(queen.run("queue", "list").ok().lines().getFirst()).contains("DEAD LETTERS", "CONSUMERS",
                "PUSHED PER SECOND");
    }

    @Test
    void aQueueIsConfiguredAndDescribed() {
        queen.run("queue", "configure", queue, "leaseTime=77", "retentionEnabled=true", "--namespace", "shop").ok();

        JsonNode described = queen.run("queue", "describe", queue, "-o", "json").ok().json();

        assertThat(described.at("/options/leaseTime").asInt()).isEqualTo(77);
        assertThat(described.at("/options/retentionEnabled").asBoolean()).isTrue();
        assertThat(described.get("namespace").asText()).isEqualTo("shop");
        assertThat(queen.run("queue", "describe", queue).ok().out()).contains("lease time:", "77s")
                .containsPattern("ttl: +no limit").containsPattern("max size: +no limit")
                .containsPattern("retry delay: +1s").containsPattern("retention: +for ever")
                .containsPattern("dead letters for expired: +no").doesNotContain("dead letter queue", "dlq after");
    }

    @Test
    void aSlipInAnOptionIsFound() {
        assertThat(queen.run("queue", "configure", queue, "leasetime=1")).satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.err()).startsWith("queen: there is no option leasetime; there are ");
        });
        assertThat(queen.run("queue", "configure", queue, "leaseTime=long").code()).isEqualTo(1);
        assertThat(queen.run("queue", "configure", queue, "leaseTime=-1").err()).contains("leaseTime");
    }

    @Test
    void aPausedQueueDeliversNoMessages() {
        queen.run("queue", "pause", queue).ok();
        assertThat(queen.run("pop", queue, "-g", "g").code()).isEqualTo(4);
        assertThat(queen.run("queue", "describe", queue, "-o", "json").json().get("paused").asBoolean()).isTrue();

        queen.run("queue", "resume", queue).ok();
        queen.run("pop", queue, "-g", "g", "--wait", "10s").ok();
    }

    @Test
    void deletingAQueueNeedsAConfirmation() {
        assertThat(queen.run("queue", "delete", queue)).satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.err()).isEqualTo("queen: Delete " + queue
                    + " with its 3 messages and 0 dead letters? Use --yes to confirm without a terminal.\n");
        });
        assertThat(queen.runInTerminal("n\n", "queue", "delete", queue).code()).isEqualTo(1);
        queen.run("queue", "describe", queue).ok();

        assertThat(queen.runInTerminal("y\n", "queue", "delete", queue).ok().out()).contains("deleted");

        assertThat(queen.run("queue", "delete", queue, "--yes").code()).isEqualTo(4);
        assertThat(queen.run("queue", "describe", queue))
                .isEqualTo(new Ran(4, "", "queen: there is no queue " + queue + "\n"));
    }

    @Test
    void statsShowTheThroughput() throws InterruptedException {
        queen.run("queue", "configure", queue, "retryDelay=0").ok();
        queen.run("pop", queue, "-p", "a", "-g", "g", "-n", "2", "--ack").ok();
        String popped = queen.run("pop", queue, "-p", "b", "-g", "g", "-o", "ndjson").ok().out();
        queen.runWithInput(popped, "ack", "--file", "-", "--status", "failed").ok();
        popped = queen.run("pop", queue, "-p", "b", "-g", "g", "-o", "ndjson").ok().out();
        queen.runWithInput(popped, "ack", "--file", "-", "--status", "dlq").ok();

        Await.until("servers have reported", () -> sumOfStats("deadLettered") == 1 && sumOfStats("delivered") == 4);

        assertThat(sumOfStats("pushed")).isEqualTo(3);
        assertThat(sumOfStats("acked")).isEqualTo(2);
        assertThat(sumOfStats("failed")).isEqualTo(2);
        assertThat(queen.run("queue", "stats", "no-such-queue").code()).isEqualTo(4);
    }

    @Test
    void refusedPushesAreInTheStatsOfTheirQueueAndInTheStatus() throws InterruptedException {
        String full = CliServer.newQueue();
        queen.run("queue", "configure", full, "maxSize=1").ok();
        queen.run("push", full, "1").ok();
        assertThat(queen.run("push", full, "2").code()).isNotZero();

        Await.until("the server has reported",
                () -> queen.run("queue", "stats", full, "-o", "json").ok().out().contains("full 1"));

        assertThat(queen.run("queue", "stats", full).ok().out()).contains("REFUSED FOR", "full 1");
        // Lists may be a second old.
        Await.until("the queue is full", () -> queen.run("queue", "list", "--search", full, "-o", "ndjson").ok().out()
                .contains("\"full\":true"));
        JsonNode status = queen.run("status", "-o", "json").ok().json();
        assertThat(status.get("pushesRefusedInFiveMinutes").asInt()).isPositive();
        assertThat(status.get("pushes").asText()).isEqualTo("open");
    }

    private int sumOfStats(String column) {
        int sum = 0;
        for (JsonNode step : queen.run("queue", "stats", queue, "--since", "5m", "-o", "json").ok().json()) {
            sum += step.get(column).asInt();
        }
        return sum;
    }

    @Test
    void partitionsAreListedDescribedAndExplained() {
        queen.run("pop", queue, "-p", "a", "-g", "g").ok();

        assertThat(queen.run("partition", "list", queue, "-g", "g", "-o", "ndjson").ok().lines()).satisfiesExactly(
                a -> assertThat(a).contains("\"partition\":\"a\"", "\"state\":\"leased\"", "\"unread\":2"),
                b -> assertThat(b).contains("\"partition\":\"b\""));
        assertThat(queen.run("partition", "list", queue, "--limit", "1").ok().lines()).hasSize(2);
        queen.run("queue", "list", "--fresh").ok();
        assertThat(queen.run("partition", "list", queue, "--deepest", "-o", "json").ok().json()).isNotEmpty();
        assertThat(
                queen.run("partition", "describe", queue, "a", "-o", "json").ok().json().at("/groups/0/group").asText())
                .isEqualTo("g");
        assertThat(queen.run("partition", "describe", queue, "a").ok().out()).contains("GROUP  STATE");
        assertThat(queen.run("partition", "explain", queue, "a", "-g", "g", "-o", "json").ok().json().get("state")
                .asText()).isEqualTo("leased");
        assertThat(queen.run("partition", "explain", queue, "a", "2", "-g", "g").ok().out()).contains("behind");
        assertThat(queen.run("partition", "explain", queue, "z", "-g", "g"))
                .isEqualTo(new Ran(4, "", "queen: there is no partition z in " + queue + "\n"));
    }

    @Test
    void everyFormatContainsTheSamePartitions() {
        assertThat(queen.run("partition", "list", queue).ok().lines()).hasSize(3).first().asString().startsWith("QUEUE")
                .contains("PARTITION").doesNotContain("PARTITION ID");
        assertThat(queen.run("partition", "list", queue, "-o", "wide").ok().lines()).hasSize(3).first().asString()
                .contains("PARTITION ID");
        JsonNode json = queen.run("partition", "list", queue, "-o", "json").ok().json();
        assertThat(json).extracting(each -> each.get("partition").asText()).containsExactly("a", "b");
        assertThat(queen.run("partition", "list", queue, "-o", "ndjson").ok().lines())
                .extracting(line -> ageless(new Ran(0, line, "").json()))
                .isEqualTo(json.valueStream().map(OperatorCommandsTest::ageless).toList());
        assertThat(queen.run("partition", "list", queue, "-o", "yaml").ok().out()).startsWith("---\n- queue: " + queue)
                .contains("\n  partition: a\n", "\n  partition: b\n");
    }

    /** Returns the partition without its age, which changes between two calls. */
    private static JsonNode ageless(JsonNode partition) {
        return ((ObjectNode) partition.deepCopy()).without("oldestUnreadSeconds");
    }

    @Test
    void aPartitionIsPausedSoughtAndSkipped() {
        queen.run("pop", queue, "-p", "a", "-g", "g", "--ack").ok();
        queen.run("partition", "pause", queue, "a").ok();
        assertThat(queen.run("pop", queue, "-p", "a", "-g", "g").code()).isEqualTo(4);
        queen.run("partition", "resume", queue, "a").ok();

        assertThat(queen.run("partition", "seek", queue, "a", "-g", "g", "--to", "beginning").code()).isEqualTo(1);
        assertThat(queen.run("partition", "seek", queue, "a", "-g", "g", "--to", "0", "--yes", "-o", "json").ok().json()
                .get("offset").asInt()).isZero();
        assertThat(queen.run("partition", "skip", queue, "a", "-g", "g").code()).isEqualTo(1);
        assertThat(queen.run("partition", "skip", queue, "a", "-g", "g", "--dlq", "-o", "json").ok().json()
                .get("skippedOffset").asInt()).isZero();

        assertThat(queen.run("pop", queue, "-p", "a", "-g", "g", "--wait", "10s", "-o", "json").ok().json().get(0)
                .get("transactionId").asText()).isEqualTo("2");
        assertThat(queen.run("dlq", "list", queue, "-g", "g", "-o", "json").json()).hasSize(1);
    }

    @Test
    void groupsAreListedWithTheirLagAndMoved() throws InterruptedException {
        for (String partition : List.of("a", "b")) {
            queen.run("pop", queue, "-p", partition, "-g", "mine", "-n", "10", "--ack").ok();
        }
        queen.runWithInput("4\n5\n", "push", queue, "-p", "b").ok();
        queen.run("push", queue, "6", "-p", "a").ok();

        String[] list = {"group", "list", "-q", queue, "-o", "json"};
        Await.until("partitions were counted", () -> queen.run(list).ok().json().get(0).get("unread").asInt() == 3);
        assertThat(queen.run(list).ok().json()).singleElement().satisfies(each -> {
            assertThat(each.get("name").asText()).isEqualTo("mine");
            assertThat(each.get("partitionsBehind").asInt()).isEqualTo(2);
        });
        assertThat(queen.run("group", "describe", "mine", "-q", queue, "-o", "json").ok().json()).hasSize(2);
        assertThat(queen.run("group", "lag", "mine", "-q", queue, "-o", "ndjson").ok().lines()).satisfiesExactly(
                b -> assertThat(b).contains("\"partition\":\"b\"", "\"unread\":2", "\"totalConsumed\":1"),
                a -> assertThat(a).contains("\"partition\":\"a\"", "\"unread\":1", "\"totalConsumed\":2"));
        assertThat(queen.run("group", "seek", "mine", queue, "--to", "end").code()).isEqualTo(1);
        assertThat(queen.run("group", "delete", "mine", "-q", queue).code()).isEqualTo(1);

        queen.run("group", "pause", "mine", queue).ok();
        assertThat(queen.run(list).ok().json().get(0).get("state").asText()).isEqualTo("Paused");
        assertThat(queen.run("pop", queue, "-g", "mine").code()).isEqualTo(4);
        queen.run("group", "resume", "mine", queue).ok();
        queen.run("group", "seek", "mine", queue, "--to", "end", "--yes").ok();
        assertThat(queen.run("pop", queue, "-g", "mine").code()).isEqualTo(4);
        assertThat(queen.run("group", "seek", "mine", queue, "--to", "17", "--yes").err()).contains("--partition");
        assertThat(queen.run("group", "seek", "mien", queue, "--to", "end", "--yes"))
                .isEqualTo(new Ran(4, "", "queen: there is no such queue, or the group does not read it\n"));
        queen.run("group", "seek", "later", queue, "--to", "end", "--yes", "--new").ok();
        assertThat(queen.run("group", "seek", "mine", queue, "--to", "somewhere", "--yes").err())
                .contains("is not a position");

        assertThat(queen.run("replay", queue, "-g", "mine", "--from", "beginning").code()).isEqualTo(1);
        assertThat(queen.run("replay", queue, "-g", "mine", "--from", "end", "--yes").code()).isEqualTo(1);
        assertThat(queen.run("replay", queue, "-g", "mine", "--from", "1h", "--yes").ok().out())
                .contains("in 2 partitions");
        String[] pop = {"pop", queue, "-g", "mine", "-n", "10", "--partitions", "10", "-o", "json"};
        int replayed = 0;
        // One pop gets partitions of one shard.
        for (Ran popped = queen.run(pop); popped.code() == 0; popped = queen.run(pop)) {
            replayed += popped.json().size();
        }
        assertThat(replayed).isEqualTo(6);

        queen.run("group", "delete", "mine", "-q", queue, "--yes").ok();
        Await.until("it is not listed any more",
                () -> queen.run("group", "delete", "mine", "-q", queue, "--yes").code() == 4);
        assertThat(queen.run("group", "describe", "missing").code()).isEqualTo(4);
    }

    @Test
    void messagesAreListedShownAndDeleted() {
        assertThat(queen.run("messages", "list", queue, "-p", "a", "-o", "json").ok().json())
                .extracting(each -> each.get("transactionId").asText()).containsExactly("2", "1");
        assertThat(queen.run("messages", "get", queue, "a", "1", "-o", "json").ok().json().at("/payload/i").asInt())
                .isEqualTo(1);

        assertThat(queen.run("messages", "delete", queue, "a", "1").code()).isEqualTo(1);
        queen.run("messages", "delete", queue, "a", "1", "--yes").ok();

        assertThat(
                queen.run("pop", queue, "-p", "a", "-g", "g", "-o", "json").json().get(0).get("transactionId").asText())
                .isEqualTo("2");
        assertThat(queen.run("messages", "get", queue, "a", "1").code()).isEqualTo(4);
    }

    @Test
    void tailShowsTheLatestInTheirOrder() {
        assertThat(queen.run("tail", queue, "-n", "2", "-p", "a").ok().lines()).satisfiesExactly(
                first -> assertThat(first).endsWith("a  1  {\"i\":1,\"l\":\"a\"}"),
                second -> assertThat(second).endsWith("a  2  {\"i\":2,\"l\":\"a\"}"));
        assertThat(queen.run("tail", queue, "-o", "ndjson").ok().lines()).hasSize(3);
        assertThat(queen.run("tail", "no-such-queue").code()).isEqualTo(4);
    }

    @Test
    void tracesAreFoundByNameAndByMessage() {
        try (Queen client = Queen.connect(queen.url())) {
            var delivery = client.queue(queue, Json.class).partition("a").group("g").pop().deliveries().getFirst();
            client.trace(delivery, "step", new Json("{\"x\":1}"), "case-" + queue);
        }

        assertThat(queen.run("traces", "-o", "json").ok().out()).contains("case-" + queue);
        assertThat(queen.run("traces", "case-" + queue, "-o", "json").ok().json().get(0).at("/data/x").asInt())
                .isEqualTo(1);
        assertThat(queen.run("traces", "-q", queue, "-p", "a", "-t", "1").ok().out()).contains("step");
        assertThat(queen.run("traces", "-q", queue).code()).isEqualTo(1);
    }

    @Test
    void statusAndLagShowTheStateOfTheServer() throws InterruptedException {
        queen.run("pop", queue, "-p", "a", "-g", "late", "--ack").ok();

        JsonNode status = queen.run("status", "-o", "json").ok().json();
        assertThat(status.get("status").asText()).isEqualTo("healthy");
        assertThat(status.at("/messages/total").isNumber()).isTrue();
        assertThat(status.get("otherServers")).isEmpty();
        assertThat(status.at("/hints/sent").asInt()).isZero();
        assertThat(queen.run("status").ok().out()).contains("Messages\n").contains("oldest unread:")
                .doesNotContain("Other servers");
        assertThat(queen.run("lag", "--min", "1h", "-o", "json").ok().json()).isEmpty();
        String[] lag = {"lag", "--min", "0s", "-q", queue, "-g", "late", "-o", "json"};
        Await.until("messages have waited for a second", () -> queen.run(lag).ok().json().size() == 2);
        assertThat(queen.run(lag).ok().json()).extracting(partition -> partition.get("partition").asText())
                .as("also a partition that it has not read").containsExactlyInAnyOrder("a", "b");
        assertThat(queen.run(lag).ok().json()).allSatisfy(partition -> {
            assertThat(partition.get("group").asText()).isEqualTo("late");
            assertThat(partition.get("queue").asText()).isEqualTo(queue);
            assertThat(partition.get("unread").asInt()).isEqualTo(1);
            assertThat(partition.get("oldestUnconsumedAt").isTextual()).isTrue();
        });
        assertThat(queen.run("lag", "--min", "0s", "-q", queue, "-g", "missing", "-o", "json").ok().json()).isEmpty();
    }

    @Test
    void aGroupIsStableDuringALeaseAndDeletedWithItsQueue() throws InterruptedException {
        queen.run("pop", queue, "-p", "a", "-g", "here").ok();

        String[] list = {"group", "list", "-q", queue, "-o", "json"};
        Await.until("the consumer is seen", () -> queen.run(list).ok().json().get(0).get("consumers").asInt() == 1);
        assertThat(queen.run(list).ok().json().get(0).get("state").asText()).isEqualTo("Stable");
        assertThat(queen.run("group", "list", "-q", queue).ok().lines().getFirst()).contains("STATE", "CONSUMERS",
                "UNREAD", "OLDEST UNREAD");
        assertThat(queen.run("partition", "list", queue, "-o", "ndjson").ok().lines()).as("it owes partition b, too")
                .allSatisfy(partition -> assertThat(partition).contains("\"group\":\"here\""));

        queen.run("queue", "delete", queue, "--yes").ok();
        assertThat(queen.run(list).ok().json()).isEmpty();
    }

    @Test
    void spoolListsWaitingMessagesAndRejectedOnesAreRestoredOrDropped() throws InterruptedException {
        queen.run("maintenance", "close", "push", "--yes").ok();
        try {
            Await.until("the server reports the maintenance",
                    () -> queen.run("status", "-o", "json").ok().json().get("pushes").asText().equals("closed"));
            assertThat(queen.run("push", queue, "2").ok()).satisfies(ran -> {
                assertThat(ran.out()).startsWith("spooled ");
                assertThat(ran.err()).contains("stores them later: pushes are closed for maintenance");
            });
            assertThat(queen.run("push", queue, "2", "-o", "json").ok().json().get("spooled").asInt()).isEqualTo(1);
            assertThat(queen.run("spool", "status", "-o", "json").ok().json().get("pending").asInt()).isEqualTo(2);
            Await.until("the server has reported", () -> {
                JsonNode servers = queen.run("spool", "status", "-o", "json").ok().json().get("servers");
                return servers.size() == 1 && servers.get(0).get("pending").asInt() == 2
                        && servers.get(0).get("serverState").asText().equals("running");
            });
            assertThat(queen.run("spool", "status").ok().out()).contains("All servers", "SERVER STATE");
            assertThat(queen.run("status", "-o", "json").ok().json().get("spooled").asInt()).isEqualTo(2);
            queen.run("queue", "delete", queue, "--yes").ok();
        } finally {
            queen.run("maintenance", "open", "push").ok();
        }
        Await.until("it is refused",
                () -> queen.run("spool", "status", "-o", "json").ok().json().get("refused").asInt() == 2);
        assertThat(queen.run("spool", "refused", "-o", "json").ok().json().get(0).get("reason").asText())
                .contains("deleted");
        assertThat(queen.run("spool", "retry", "-q", "another", "-o", "json").ok().json().get("putBack").asInt())
                .isZero();
        assertThat(queen.run("spool", "drop").code()).isEqualTo(1);
        assertThat(queen.run("spool", "drop", "--yes", "-q", queue, "-o", "json").ok().json().get("dropped").asInt())
                .isEqualTo(2);
        assertThat(queen.run("spool", "refused", "-o", "json").ok().json()).isEmpty();
    }

    @Test
    void maintenanceClosesAndOpens() throws InterruptedException {
        assertThat(queen.run("maintenance", "close", "push").code()).isEqualTo(1);
        queen.run("maintenance", "close", "push", "--yes").ok();
        try {
            assertThat(queen.run("maintenance", "status", "-o", "json").json().get("push").asText())
                    .isEqualTo("closed");
            Await.until("the status shows it, too",
                    () -> queen.run("status", "-o", "json").ok().json().get("pushes").asText().equals("closed"));
        } finally {
            queen.run("maintenance", "open", "push").ok();
        }
        queen.run("maintenance", "close", "pop", "--yes").ok();
        try {
            Await.until("the server has loaded the change", () -> queen.run("pop", queue, "-g", "closed").code() == 2);
            assertThat(queen.run("pop", queue, "-g", "closed").err())
                    .isEqualTo("queen: no messages can be delivered: pops are closed for maintenance\n");
        } finally {
            assertThat(queen.run("maintenance", "open", "pop", "-o", "json").ok().json().get("pop").asText())
                    .isEqualTo("open");
        }
    }
}
