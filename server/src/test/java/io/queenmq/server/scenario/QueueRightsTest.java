package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.server.auth.TestTokens;
import io.queenmq.testkit.Await;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts to reach queues by every way that the rights of a token do not cover. */
class QueueRightsTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("JWT_ENABLED", "true", "JWT_SECRET", TestTokens.SECRET));

    private final QueenClient admin = server.client().with(TestTokens.valid("{\"sub\":\"ada\",\"role\":\"admin\"}"));
    private final String own = server.newQueue();
    private final String secret = server.newQueue();

    /** A token without a role. */
    private static QueenClient with(String... entries) {
        return caller("{\"sub\":\"eve\",\"queen_rights\":[" + quoted(entries) + "]}");
    }

    private static QueenClient caller(String claims) {
        return server.client().with(TestTokens.valid(claims));
    }

    private static String quoted(String... entries) {
        return Arrays.stream(entries).map(entry -> '"' + entry + '"').collect(Collectors.joining(","));
    }

    private static void assertRejected(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(403);
        assertThat(answer.body()).contains("does not allow this");
    }

    private static void assertPassed(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isBetween(200, 204);
    }

    @Test
    void aTokenWithoutTheClaimHasTheRightsOfItsRole() {
        assertPassed(admin.push(own, "p", "1"));
        assertPassed(caller("{\"role\":\"read-write\"}").pop(own));
        assertThat(caller("{\"sub\":\"eve\"}").pop(own).status()).isEqualTo(403);
    }

    @Test
    void theRoleIsAnUpperBound() {
        String rights = ",\"queen_rights\":[\"*:*\"]}";
        assertRejected(caller("{\"role\":\"read-only\"" + rights).push(own, "p", "1"));
        assertRejected(caller("{\"role\":\"read-write\"" + rights).delete("/api/v1/resources/queues/" + own));
        assertPassed(caller("{\"role\":\"admin\"" + rights).delete("/api/v1/resources/queues/" + own));
        assertPassed(with("*:*").delete("/api/v1/resources/queues/" + own));
    }

    @Test
    void theWholeServerNeedsTheRoleAdmin() {
        for (String path : List.of("/api/v1/system/maintenance", "/api/v1/system/audit", "/api/v1/system/spool",
                "/api/v1/keys", "/api/v1/analytics/worker-metrics", "/api/v1/analytics/shards",
                "/api/v1/status/buffers")) {
            assertRejected(with("*:*").get(path));
            assertPassed(caller("{\"role\":\"admin\",\"queen_rights\":[\"read:nothing\"]}").get(path));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"push\"", "[\"push\"]", "[\"fly:orders\"]", "7", "null", "{\"push\":\"orders\"}",
        "[\"push:\"]"})
    void aTokenWithAMalformedClaimIsRejectedForAnyRole(String claim) {
        Answer answer = caller("{\"role\":\"admin\",\"queen_rights\":" + claim + "}").get("/api/v1/identity");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(401);
    }

    @Test
    void noRightIncludesAnother() {
        admin.push(own, "p", "1");
        assertRejected(with("pop,manage,read:" + own).push(own, "p", "2"));
        assertRejected(with("push,manage,read:" + own).pop(own));
        assertRejected(with("push,pop,read:" + own).configure(own, "{}"));
        assertRejected(with("push,pop,manage:" + own).get("/api/v1/resources/queues/" + own));
        assertPassed(with("push:" + own).push(own, "p", "2"));
        assertPassed(with("pop:" + own).pop(own));
        assertPassed(with("manage:" + own).configure(own, "{}"));
        assertPassed(with("read:" + own).get("/api/v1/resources/queues/" + own));
    }

    @Test
    void oneForbiddenItemRejectsAPushBeforeAnythingIsStored() {
        assertRejected(with("push:" + own).post("/api/v1/push",
                "{\"items\":[{\"queue\":\"" + own + "\"},{\"queue\":\"" + secret + "\"}]}"));
        // The last of two equal fields is used.
        assertRejected(with("push:" + own).post("/api/v1/push",
                "{\"items\":[{\"queue\":\"" + own + "\",\"queue\":\"" + secret + "\"}]}"));
        assertRejected(with("push:" + own).post("/api/v1/push",
                "{\"items\":[{\"queue\":\"" + secret + "\"}],\"items\":[{\"queue\":\"" + secret + "\"}]}"));

        assertThat(server.select("select name from queen.queue where name in (?, ?)", own, secret)).isEmpty();
    }

    @Test
    void encodedNamesAreCheckedAsTheQueueTheyName() {
        admin.push(secret, "p", "1");
        QueenClient eve = with("pop,read,manage:" + own);
        for (String spelling : List.of(secret.replace("-", "%2D"), secret.toUpperCase(), "%71" + secret.substring(1),
                secret + "%20", own + "%2F..%2F" + secret, secret + "%00", own + "/../" + secret)) {
            assertThat(eve.get("/api/v1/pop/queue/" + spelling).status()).as(spelling).isIn(400, 403, 404);
            assertThat(eve.get("/api/v1/resources/queues/" + spelling).status()).as(spelling).isIn(400, 403, 404);
            assertThat(eve.delete("/api/v1/queues/" + spelling + "/clear").status()).as(spelling).isIn(400, 403, 404);
        }
        assertThat(admin.pop(secret).transactionIds()).containsExactly("1");
    }

    @Test
    void partitionsOfOtherQueuesAreNotAccessibleByTheirIds() {
        admin.push(secret, "p", "1", "2");
        Answer popped = admin.pop(secret, "batch=1");
        String partition = popped.message().get("partitionId").asText();
        QueenClient eve = with("*:" + own);

        assertRejected(eve.post("/api/v1/ack", QueenClient.acknowledgment(popped.message(), "completed").toString()));
        assertRejected(eve.ackAll(popped, "completed"));
        assertRejected(eve.extend(popped.leaseId(), "{}"));
        assertRejected(eve.transaction("{\"operations\":[{\"type\":\"push\",\"queue\":\"" + own
                + "\"},{\"type\":\"ack\",\"transactionId\":\"1\",\"partitionId\":\"" + partition + "\"}]}"));
        assertRejected(eve.transaction("{\"operations\":[{\"type\":\"push\",\"queue\":\"" + own
                + "\"}],\"requiredLeases\":[\"" + popped.leaseId() + "\"]}"));
        assertRejected(eve.post("/api/v1/traces",
                "{\"partitionId\":\"" + partition + "\",\"transactionId\":\"1\",\"data\":{}}"));
        for (String path : List.of("/api/v1/messages/" + partition + "/1", "/api/v1/partitions/" + partition,
                "/api/v1/explain/" + partition, "/api/v1/explain/" + partition + "/1",
                "/api/v1/traces/" + partition + "/1", "/api/v1/dlq/" + partition + "/1")) {
            assertRejected(eve.get(path));
        }
        assertRejected(eve.delete("/api/v1/messages/" + partition + "/2"));
        assertRejected(eve.post("/api/v1/messages/" + partition + "/2/dlq", "{}"));
        assertRejected(eve.post("/api/v1/partitions/" + partition + "/pause", ""));
        assertThat(server.select("select name from queen.queue where name = ?", own)).isEmpty();

        QueenClient consumer = with("pop:" + secret);
        assertPassed(consumer.extend(popped.leaseId(), "{}"));
        assertThat(consumer.ackAll(popped, "completed").each("success")).containsExactly("true");
    }

    @Test
    void anAckOfAPartitionThatDoesNotExistFailsAloneAndOthersOfItsBatchSucceed() {
        admin.push(own, "p", "1");
        QueenClient consumer = with("pop:" + own);
        Answer popped = consumer.pop(own);
        JsonNode lost = Answer.parse("{\"transactionId\":\"x\",\"partitionId\":\"" + UUID.randomUUID() + "\"}");

        Answer answer = consumer.ackBatch("__QUEUE_MODE__", lost,
                QueenClient.acknowledgment(popped.message(), "completed"));

        assertThat(answer.each("success")).containsExactly("false", "true");
        assertThat(consumer.extend(UUID.randomUUID().toString(), "{}").status()).isEqualTo(404);
        assertThat(with("read:*").get("/api/v1/partitions/" + UUID.randomUUID()).status()).isEqualTo(404);
    }

    @Test
    void rightsApplyByNamespaceAndMovingAQueueNeedsBothNamespaces() {
        admin.post("/api/v1/configure", "{\"queue\":\"" + own + "\",\"namespace\":\"billing\"}");
        admin.post("/api/v1/configure", "{\"queue\":\"" + secret + "\",\"namespace\":\"vault\"}");
        QueenClient eve = with("*:billing/*");
        assertPassed(eve.push(own, "p", "1"));
        assertRejected(eve.push(secret, "p", "1"));

        assertRejected(eve.post("/api/v1/configure", "{\"queue\":\"" + secret + "\",\"namespace\":\"billing\"}"));
        assertRejected(eve.post("/api/v1/configure", "{\"queue\":\"" + own + "\",\"namespace\":\"vault\"}"));
        assertRejected(eve.post("/api/v1/configure", "{\"queue\":\"brand-new\"}"));
        assertPassed(eve.post("/api/v1/configure", "{\"queue\":\"brand-new-too\",\"namespace\":\"billing\"}"));

        assertPassed(admin.post("/api/v1/configure", "{\"queue\":\"" + own + "\",\"namespace\":\"vault\"}"));
        assertRejected(eve.push(own, "p", "2"));
    }

    @Test
    void aQueueCreatedByAPushIsInTheNamespaceOfItsName() {
        assertPassed(with("push:" + own + "/*").push(own + ".task.x", "p", "1"));
        assertThat(server.select("select namespace from queen.queue where name = ?", own + ".task.x"))
                .containsExactly(own);
        assertRejected(with("push:" + own + "/*").push(secret + ".task.x", "p", "1"));
    }

    @Test
    void popsByNamespaceNeedTheWholeNamespace() {
        admin.post("/api/v1/configure", "{\"queue\":\"" + own + "\",\"namespace\":\"mixed\",\"task\":\"t\"}");
        admin.post("/api/v1/configure", "{\"queue\":\"" + secret + "\",\"namespace\":\"mixed\",\"task\":\"t\"}");
        admin.push(own, "p", "1");
        assertRejected(with("pop:" + own).get("/api/v1/pop?namespace=mixed"));
        assertRejected(with("pop:mixed/queue-*").get("/api/v1/pop?namespace=mixed"));
        assertRejected(with("pop:mixed/*").get("/api/v1/pop?task=t"));
        assertRejected(with("pop:mixed/*").get("/api/v1/pop?namespace=other"));
        assertThat(with("pop:mixed/*").get("/api/v1/pop?namespace=mixed&task=t").transactionIds()).containsExactly("1");
    }

    @Test
    void aWaitingPopGetsNothingFromAQueueMovedToAForbiddenNamespace() {
        admin.post("/api/v1/configure", "{\"queue\":\"" + own + "\",\"namespace\":\"open\"}");
        CompletableFuture<Answer> waiting = with("pop:open/*").popLater(own, "wait=true", "timeout=60000");
        Await.until(() -> !server.select(
                "select 1 from queen.presence p cross join lateral"
                        + " unnest(p.queue_names, p.waiting) as u (name, waiting) where u.name = ? and u.waiting > 0",
                own).isEmpty());

        admin.post("/api/v1/configure", "{\"queue\":\"" + own + "\",\"namespace\":\"closed\"}");
        admin.push(own, "p", "1");

        assertThat(waiting.join().isEmpty()).isTrue();
        assertThat(admin.pop(own).transactionIds()).containsExactly("1");
    }

    @Test
    void actionsOnAllQueuesNeedTheRightOnAll() {
        admin.push(own, "p", "1");
        QueenClient eve = with("*:" + own);
        assertRejected(eve.delete("/api/v1/consumer-groups/g"));
        assertRejected(eve.post("/api/v1/consumer-groups/g/subscription",
                "{\"subscriptionTimestamp\":\"2026-01-01T00:00:00Z\"}"));
        assertRejected(eve.post("/api/v1/dlq/redrive", "{}"));
        assertRejected(eve.delete("/api/v1/dlq"));
        assertRejected(eve.get("/api/v1/resources/partitions"));
        assertRejected(eve.get("/api/v1/traces/names"));
        assertRejected(eve.get("/api/v1/traces/by-name/x"));
        assertRejected(
                eve.post("/api/v1/dlq/redrive", "{\"queue\":\"" + own + "\",\"targetQueue\":\"" + secret + "\"}"));
        assertRejected(eve.delete("/api/v1/consumer-groups/g/queues/" + secret));
        assertRejected(eve.post("/api/v1/consumer-groups/g/queues/" + secret + "/seek", "{\"toEnd\":true}"));
        assertPassed(eve.delete("/api/v1/consumer-groups/g/queues/" + own));
        assertPassed(eve.get("/api/v1/resources/partitions?queue=" + own));
        assertPassed(eve.post("/api/v1/dlq/redrive", "{\"queue\":\"" + own + "\",\"dryRun\":true}"));
        assertPassed(with("manage:*").delete("/api/v1/consumer-groups/g"));
    }

    @Test
    void redrivesOfOtherQueuesAreNotAccessible() {
        admin.push(secret, "p", "1");
        Answer popped = admin.pop(secret);
        admin.ackAll(popped, "dlq");
        String id = admin.post("/api/v1/dlq/redrive", "{\"queue\":\"" + secret + "\"}").json().get("id").asText();
        QueenClient eve = with("*:" + own);

        assertRejected(eve.get("/api/v1/dlq/redrives/" + id));
        assertRejected(eve.delete("/api/v1/dlq/redrives/" + id));
        assertThat(eve.get("/api/v1/dlq/redrives").json().get("total").asInt()).isZero();
        assertPassed(with("read:" + secret).get("/api/v1/dlq/redrives/" + id));
        assertThat(with("read:" + secret).get("/api/v1/dlq/redrives").json().get("total").asInt()).isOne();
    }

    @Test
    void streamQueriesOfOtherQueuesAreNotAccessible() {
        admin.push(own, "p", "1");
        admin.push(secret, "p", "1");
        String registration = "{\"name\":\"" + own + "-sums\",\"source_queue\":\"%s\",\"sink_queue\":\"%s\","
                + "\"config_hash\":\"1\",\"reset\":%s}";
        String id = admin.post("/streams/v1/queries", registration.formatted(secret, own, false)).json().get("query_id")
                .asText();
        String partition = server
                .select("select p.id from queen.partition p join queen.queue q on q.id = p.queue_id where q.name = ?",
                        secret)
                .getFirst();
        QueenClient eve = with("*:" + own);

        assertRejected(eve.post("/streams/v1/queries", registration.formatted(own, own, false)));
        assertRejected(eve.post("/streams/v1/queries", registration.formatted(own, own, true)));
        assertRejected(
                eve.post("/streams/v1/queries", registration.formatted(own, secret, false).replace("-sums", "-other")));
        assertRejected(eve.post("/streams/v1/state/get",
                "{\"query_id\":\"" + id + "\",\"partition_id\":\"" + partition + "\"}"));
        assertRejected(eve.post("/streams/v1/cycle", "{\"query_id\":\"" + id + "\",\"partition_id\":\"" + partition
                + "\",\"push_items\":[{\"queue\":\"" + own + "\",\"payload\":1}]}"));
        assertRejected(
                with("pop:" + secret).post("/streams/v1/cycle", "{\"query_id\":\"" + id + "\",\"partition_id\":\""
                        + partition + "\",\"push_items\":[{\"queue\":\"" + own + "\",\"payload\":1}]}"));
        for (String path : List.of("/streams/v1/queries/" + own + "-sums",
                "/streams/v1/queries/" + own + "-sums/partitions/p/state")) {
            assertRejected(eve.get(path));
        }
        assertRejected(eve.post("/streams/v1/queries/" + own + "-sums/reset", ""));
        assertRejected(eve.delete("/streams/v1/queries/" + own + "-sums"));
        assertThat(eve.get("/streams/v1/queries").body()).doesNotContain("-sums");
        assertPassed(with("pop:" + secret, "push:" + own).post("/streams/v1/queries",
                registration.formatted(secret, own, false)));
        assertPassed(with("read:queue-*").get("/streams/v1/queries/" + own + "-sums"));
    }

    @Test
    void identityReturnsTheRights() {
        assertThat(with("push:" + own).get("/api/v1/identity").json().toString()).contains("\"role\":\"none\"",
                "\"rights\":[\"push:" + own + "\"]");
        assertThat(admin.get("/api/v1/identity").json().get("rights").isNull()).isTrue();
    }
}
