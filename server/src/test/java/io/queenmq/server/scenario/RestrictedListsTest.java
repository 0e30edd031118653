package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.server.auth.TestTokens;
import io.queenmq.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Lists, totals and numbers contain no data of queues that the caller may not read. */
class RestrictedListsTest {
    @RegisterExtension
    static final QueenServer server = QueenServer
            .with(Map.of("JWT_ENABLED", "true", "JWT_SECRET", TestTokens.SECRET, "METRICS_REPORT_INTERVAL_MS", "200"));

    private static final String SEEN = "seen";
    private static final String HIDDEN = "hidden";
    private static final QueenClient[] ADMIN = new QueenClient[1];

    /** Creates all objects of lists in both queues: messages, groups, dead letters, redrives, queries, lag. */
    @BeforeAll
    static void fill() {
        QueenClient admin = server.client().with(TestTokens.valid("{\"sub\":\"ada\",\"role\":\"admin\"}"));
        ADMIN[0] = admin;
        for (String queue : List.of(SEEN, HIDDEN)) {
            admin.post("/api/v1/configure",
                    "{\"queue\":\"" + queue + "\",\"namespace\":\"ns-" + queue + "\",\"task\":\"task-" + queue + "\"}");
            admin.push(queue, "p-" + queue, "1", "2", "3", "4");
            Answer popped = admin.pop(queue, "consumerGroup=g-" + queue, "batch=2", "subscriptionMode=all");
            admin.ackEach(popped, "completed", "dlq");
            admin.post("/api/v1/dlq/redrive", "{\"queue\":\"" + queue + "\",\"partition\":\"nothing\"}");
            admin.post("/streams/v1/queries",
                    "{\"name\":\"q-" + queue + "\",\"source_queue\":\"" + queue + "\",\"config_hash\":\"1\"}");
        }
        server.age(SEEN, 7_200);
        server.age(HIDDEN, 7_200);
        Await.until(() -> admin.get("/api/v1/status").json().get("messages").get("completed").asInt() >= 2);
    }

    private static QueenClient with(String entry) {
        return server.client().with(TestTokens.valid("{\"queen_rights\":[\"" + entry + "\"]}"));
    }

    /** Returns the paths of all routes that filter, from the OpenAPI document. */
    private static List<String> lists() {
        List<String> paths = new ArrayList<>();
        JsonNode document = server.client().get("/openapi.json").json();
        document.get("paths").properties().forEach(path -> path.getValue().properties().forEach(operation -> {
            if (operation.getValue().get("x-right").get("scope").asText().equals("list")) {
                paths.add(path.getKey());
            }
        }));
        return paths;
    }

    @Test
    void noListContainsTheNameOfAQueueThatTheCallerMayNotRead() {
        assertThat(lists()).hasSizeGreaterThan(18);
        for (String path : lists()) {
            String some = path.replace("{group}", "g-" + HIDDEN) + range(path);
            Answer whole = ADMIN[0].get(some);
            Answer seen = with("read:" + SEEN).get(some);
            Answer nothing = with("pop,push,manage:" + HIDDEN).get(some);
            assertThat(whole.status()).as(some).isEqualTo(200);
            assertThat(seen.status()).as(some + seen).isEqualTo(200);
            assertThat(seen.body()).as(some).doesNotContain(HIDDEN);
            assertThat(nothing.status()).as(some + nothing).isEqualTo(200);
            assertThat(nothing.body()).as(some).doesNotContain(SEEN).doesNotContain(HIDDEN);
            assertThat(with("read:" + SEEN).get(some + (some.contains("?") ? "&" : "?") + "queue=" + HIDDEN).body())
                    .as(some).doesNotContain("p-" + HIDDEN);
        }
    }

    private static String range(String path) {
        return path.endsWith("/lagging")
                ? "?minLagSeconds=1"
                : path.endsWith("/messages") ? "?from=2020-01-01T00:00:00Z" : "";
    }

    /** In lists that name queues, an administrator and a reader of the hidden queue must see it. */
    @Test
    void theHiddenQueueIsListedForCallersThatMayReadIt() {
        for (String path : List.of("/api/v1/resources/queues", "/api/v1/resources/namespaces",
                "/api/v1/resources/tasks", "/api/v1/consumer-groups", "/api/v1/consumer-groups/lagging?minLagSeconds=1",
                "/api/v1/consumer-groups/g-hidden", "/api/v1/messages?from=2020-01-01T00:00:00Z", "/api/v1/dlq",
                "/api/v1/dlq/errors", "/api/v1/dlq/redrives", "/streams/v1/queries", "/api/v1/status",
                "/api/v1/status/queues", "/api/v1/analytics/queue-ops", "/api/v1/analytics/queue-lag")) {
            assertThat(ADMIN[0].get(path).body()).as(path).contains(HIDDEN);
            assertThat(with("read:" + HIDDEN).get(path).body()).as(path).contains(HIDDEN);
            assertThat(with("read:*").get(path).body()).as(path).contains(HIDDEN);
        }
    }

    @Test
    void totalsAndPagesCountOnlyQueuesThatTheCallerMayRead() {
        QueenClient eve = with("read:" + SEEN);
        assertThat(eve.get("/api/v1/resources/queues").json().get("total").asInt()).isOne();
        assertThat(eve.get("/api/v1/resources/queues?limit=1&offset=0").json().get("queues")).hasSize(1);
        assertThat(eve.get("/api/v1/dlq").json().get("total").asInt()).isOne();
        assertThat(eve.get("/api/v1/dlq?limit=1").json().get("messages")).hasSize(1);
        assertThat(eve.get("/api/v1/dlq/redrives").json().get("total").asInt()).isOne();
        assertThat(eve.get("/api/v1/status/queues").json().get("pagination").get("total").asInt()).isOne();
        assertThat(eve.get("/api/v1/consumer-groups?limit=1").list()).hasSize(1);

        JsonNode overview = eve.get("/api/v1/resources/overview").json();
        assertThat(overview.get("queues").asInt()).isOne();
        assertThat(overview.get("messages").get("completed").asInt()).isOne();
        assertThat(overview.get("messages").get("deadLetter").asInt()).isOne();
        JsonNode status = eve.get("/api/v1/status").json();
        assertThat(status.get("messages").get("completed").asInt()).isOne();
        assertThat(status.get("workers")).isEmpty();
        assertThat(with("push:" + SEEN).get("/api/v1/resources/overview").json().get("queues").asInt()).isZero();
    }

    @Test
    void aListOfANamedQueueNeedsTheRightOnIt() {
        assertThat(with("read:" + SEEN).get("/api/v1/messages?queue=" + HIDDEN).status()).isEqualTo(403);
        assertThat(with("read:" + SEEN).get("/api/v1/dlq?queue=" + HIDDEN).status()).isEqualTo(403);
        assertThat(with("read:" + SEEN).get("/api/v1/dlq?queue=" + SEEN).json().get("messages")).hasSize(1);
    }
}
