package io.queenmq.server.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.queenmq.server.auth.ApiKey;
import io.queenmq.server.auth.TestTokens;
import io.queenmq.server.http.FakeEngine;
import io.queenmq.server.http.TestApi;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every operation of the OpenAPI document with every kind of caller. The document states in {@code x-access} which role and in
 * {@code x-right} which right an operation needs; the test derives from that alone which callers must be rejected.
 */
class AccessMatrixTest {
    private static final String QUEUE = "orders";
    private static final String OTHER = "payments";
    private static final String PARTITION = FakeEngine.PARTITION.toString();
    private static final List<String> ROLES = List.of("read-only", "read-write", "admin");
    private static final List<String> RIGHTS = List.of("push", "pop", "manage", "read");
    private static final ApiKey.Text KEY = ApiKey.Text.create(new SecureRandom());
    private static final ApiKey.Text ADMIN_KEY = ApiKey.Text.create(new SecureRandom());
    private static final ApiKey.Text EXPIRED_KEY = ApiKey.Text.create(new SecureRandom());
    private static final ApiKey.Text REVOKED_KEY = ApiKey.Text.create(new SecureRandom());

    /** Bodies of requests; the queue in them is {@link #QUEUE}, as that of {@link #PARTITION} and of the stream query is. */
    private static final Map<String, String> BODIES = Map.ofEntries(
            Map.entry("POST /api/v1/push", "{'items':[{'queue':'orders'}]}"),
            Map.entry("POST /api/v1/ack", "{'transactionId':'t','partitionId':'" + PARTITION + "'}"),
            Map.entry("POST /api/v1/ack/batch",
                    "{'acknowledgments':[{'transactionId':'t','partitionId':'" + PARTITION + "'}]}"),
            Map.entry("POST /api/v1/transaction",
                    "{'operations':[{'type':'push','queue':'orders'},"
                            + "{'type':'ack','transactionId':'t','partitionId':'" + PARTITION + "'}]}"),
            Map.entry("POST /streams/v1/queries",
                    "{'name':'" + PARTITION + "','source_queue':'orders',"
                            + "'sink_queue':'orders','config_hash':'1','reset':true}"),
            Map.entry("POST /streams/v1/state/get",
                    "{'query_id':'" + PARTITION + "','partition_id':'" + PARTITION + "'}"),
            Map.entry("POST /streams/v1/cycle",
                    "{'query_id':'" + PARTITION + "','partition_id':'" + PARTITION
                            + "','push_items':[{'queue':'orders','payload':1}]}"),
            Map.entry("POST /api/v1/configure", "{'queue':'orders','namespace':'orders'}"),
            Map.entry("POST /api/v1/dlq/redrive", "{'queue':'orders'}"),
            Map.entry("POST /api/v1/traces", "{'partitionId':'" + PARTITION + "','transactionId':'t','data':1}"),
            Map.entry("POST /api/v1/keys", "{'name':'new','rights':['push:orders/new']}"));
    private static final Map<String, String> QUERIES = Map.of("GET /api/v1/pop", "?namespace=orders",
            "DELETE /api/v1/dlq", "?queue=orders", "GET /api/v1/resources/partitions", "?queue=orders");

    private static TestApi api;
    private static JsonNode document;

    @BeforeAll
    static void open() throws Exception {
        api = TestApi.withKeys(
                Map.of("JWT_ENABLED", "true", "JWT_SECRET", TestTokens.SECRET, "JWT_AUDIENCE", "queen",
                        "AUTH_FAILURES_MAX", "0"),
                "{\"revision\":1,\"keys\":[" + key(KEY, null, "[\"*:orders/*\"]", null) + ","
                        + key(ADMIN_KEY, "admin", null, null) + "," + key(EXPIRED_KEY, "admin", null, "1000") + "]}");
        api.documents.put("queues_of_ids", """
                {"partitions": [{"id": "$", "queueId": "%s", "queue": "orders", "namespace": "orders"}],
                 "leases": [{"id": "$", "queue": "orders", "namespace": "orders"}],
                 "queries": [{"id": "$", "name": "$", "sourceQueue": "orders", "sinkQueue": "orders"}],
                 "redrives": [{"id": "$", "queue": "orders", "targetQueue": null}]}""".replace("$", PARTITION)
                .formatted(FakeEngine.QUEUE));
        document = new ObjectMapper().readTree(api.get("/openapi.json").body());
    }

    @AfterAll
    static void close() throws Exception {
        api.close();
    }

    private static String key(ApiKey.Text key, String role, String rights, String expiresAtMs) {
        return "{\"id\":\"" + key.id() + "\",\"name\":\"k\",\"hash\":\"" + HexFormat.of().formatHex(key.hash())
                + "\",\"role\":" + (role == null ? null : '"' + role + '"') + ",\"rights\":" + rights
                + ",\"expiresAtMs\":" + expiresAtMs + "}";
    }

    /**
     * A kind of caller.
     *
     * @param isKnown false if its token or key must be rejected with 401
     * @param role null for none
     * @param rights on {@link #QUEUE}; null if only the role decides
     */
    private record Caller(String token, boolean isKnown, String role, Set<String> rights, boolean isEverywhere) {
        static Caller unknown(String token) {
            return new Caller(token, false, null, null, false);
        }
    }

    private static Map<String, Caller> callers() {
        Map<String, Caller> callers = new LinkedHashMap<>();
        callers.put("no token", Caller.unknown(null));
        callers.put("no JWT", Caller.unknown("nonsense"));
        callers.put("expired", Caller.unknown(TestTokens.hs256("{\"aud\":\"queen\",\"role\":\"admin\",\"exp\":1}")));
        callers.put("no expiry", Caller.unknown(TestTokens.hs256("{\"aud\":\"queen\",\"role\":\"admin\"}")));
        callers.put("wrong audience", Caller.unknown(TestTokens.valid("{\"aud\":\"other\",\"role\":\"admin\"}")));
        callers.put("malformed rights", Caller.unknown(token("\"role\":\"admin\",\"queen_rights\":[\"all\"]")));
        callers.put("unknown key", Caller.unknown(ApiKey.Text.create(new SecureRandom()).whole()));
        callers.put("wrong secret", Caller
                .unknown(new ApiKey.Text(ADMIN_KEY.id(), ApiKey.Text.create(new SecureRandom()).secret()).whole()));
        callers.put("revoked key", Caller.unknown(REVOKED_KEY.whole()));
        callers.put("expired key", Caller.unknown(EXPIRED_KEY.whole()));
        callers.put("no role", new Caller(token("\"sub\":\"x\""), true, null, null, false));
        callers.put("key with rights", new Caller(KEY.whole(), true, null, new HashSet<>(RIGHTS), false));
        callers.put("key with a role", new Caller(ADMIN_KEY.whole(), true, "admin", null, false));
        callers.put("all rights everywhere",
                new Caller(token("\"queen_rights\":[\"*:*\"]"), true, null, new HashSet<>(RIGHTS), true));
        callers.put("all rights on another queue",
                new Caller(token("\"queen_rights\":[\"*:" + OTHER + "\"]"), true, null, Set.of(), false));
        for (String role : ROLES) {
            callers.put(role, new Caller(token("\"role\":\"" + role + "\""), true, role, null, false));
            callers.put(role + " with all rights",
                    new Caller(token("\"role\":\"" + role + "\",\"queen_rights\":[\"*:orders/*\"]"), true, role,
                            new HashSet<>(RIGHTS), false));
        }
        for (String right : RIGHTS) {
            callers.put(right, new Caller(token("\"queen_rights\":[\"" + right + ":orders/*\"]"), true, null,
                    Set.of(right), false));
            callers.put(right + " on another queue", new Caller(
                    token("\"queen_rights\":[\"" + right + ":" + OTHER + "\"]"), true, null, Set.of(), false));
        }
        return callers;
    }

    private static String token(String claims) {
        return TestTokens.valid("{\"aud\":\"queen\"," + claims + "}");
    }

    /** Returns the status of a rejection, or 0 if the request must reach its route. */
    private static int expected(JsonNode operation, Caller caller) {
        String access = operation.get("x-access").asText();
        if (access.equals("public")) {
            return 0;
        }
        if (!caller.isKnown) {
            return 401;
        }
        boolean isWithinRole = caller.role != null && ROLES.indexOf(caller.role) >= ROLES.indexOf(access);
        if (caller.rights == null) {
            return isWithinRole ? 0 : 403;
        }
        Set<String> needed = new TreeSet<>();
        operation.get("x-right").path("rights").forEach(right -> needed.add(right.asText()));
        boolean hasRights = switch (operation.get("x-right").get("scope").asText()) {
            case "nothing", "list" -> true;
            case "queues" -> caller.rights.containsAll(needed);
            case "every-queue" -> caller.isEverywhere && caller.rights.containsAll(needed);
            case "server" -> "admin".equals(caller.role);
            default -> throw new AssertionError("the guide does not explain " + operation.get("x-right"));
        };
        return hasRights && (caller.role == null || isWithinRole) ? 0 : 403;
    }

    @Test
    void everyOperationIsOpenToExactlyTheDocumentedCallers() throws Exception {
        List<Callable<String>> checks = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
            for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
                String address = operation.getKey().toUpperCase() + " " + path.getKey();
                for (Map.Entry<String, Caller> caller : callers().entrySet()) {
                    checks.add(() -> check(address, operation.getValue(), caller.getKey(), caller.getValue()));
                }
            }
        }
        assertThat(checks).hasSizeGreaterThan(2_500);
        List<String> wrong = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (Future<String> result : threads.invokeAll(checks)) {
                if (result.get() != null) {
                    wrong.add(result.get());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static String check(String address, JsonNode operation, String name, Caller caller) throws Exception {
        String method = address.substring(0, address.indexOf(' '));
        String path = address.substring(address.indexOf(' ') + 1).replace("{queue}", QUEUE).replaceAll("\\{[A-Za-z]+}",
                PARTITION) + QUERIES.getOrDefault(address, "");
        String body = method.equals("GET") ? "" : BODIES.getOrDefault(address, "{}").replace('\'', '"');
        HttpRequest.Builder request = api.request(path).method(method, HttpRequest.BodyPublishers.ofString(body));
        if (caller.token != null) {
            request.header("Authorization", "Bearer " + caller.token);
        }
        HttpResponse<String> answer = api.send(request);
        int expected = expected(operation, caller);
        boolean isRejected = answer.statusCode() == 401 || answer.statusCode() == 403;
        boolean isRight = expected == 0
                ? !isRejected
                : answer.statusCode() == expected && answer.body().startsWith("{\"error\":");
        return isRight ? null : address + " by " + name + ": " + answer.statusCode() + " " + answer.body();
    }

    /** A rejected request has no effect: neither the engine nor a routine for operators is called. */
    @Test
    void rejectedRequestsReachNeitherTheEngineNorTheDatabase() throws Exception {
        for (Map.Entry<String, String> body : BODIES.entrySet()) {
            String method = body.getKey().substring(0, body.getKey().indexOf(' '));
            api.operatorCalls.clear();
            int before = api.engine.commands().size();
            HttpResponse<String> answer = api.send(api.request(body.getKey().substring(method.length() + 1))
                    .header("Authorization", token("\"queen_rights\":[\"*:" + OTHER + "\"]"))
                    .POST(HttpRequest.BodyPublishers.ofString(body.getValue().replace('\'', '"'))));
            assertThat(answer.statusCode()).as(body.getKey()).isEqualTo(403);
            assertThat(api.engine.commands()).as(body.getKey()).hasSize(before);
            assertThat(api.operatorCalls).as(body.getKey()).isEmpty();
        }
    }
}
