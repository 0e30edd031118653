package io.queenmq.server.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.ConfigureCommand;
import io.queenmq.engine.command.CycleCommand;
import io.queenmq.engine.command.DeleteQueueCommand;
import io.queenmq.engine.command.PushCommand;
import io.queenmq.engine.command.TransactCommand;
import io.queenmq.server.auth.KeyServer;
import io.queenmq.server.auth.TestTokens;
import io.queenmq.server.http.FakeEngine;
import io.queenmq.server.http.TestApi;
import io.queenmq.server.http.stream.CycleRoute;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Authentication by tokens, and the identity that routes receive. */
class GuardTest {
    private static final String PUSH = "/api/v1/push";
    private static final String ITEM = "{\"items\":[{\"queue\":\"q\",\"transactionId\":\"t\",\"producerSub\":\"mallory\"}]}";
    private static final String ADA = TestTokens.valid("{\"sub\":\"ada\",\"role\":\"admin\"}");

    private TestApi api;

    @AfterEach
    void close() throws Exception {
        if (api != null) {
            api.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer ", "bearer ", "BEARER   ", ""})
    void aTokenIsAcceptedWithAndWithoutItsPrefix(String prefix) throws Exception {
        open();
        assertThat(post(PUSH, ITEM, prefix + ADA).statusCode()).isEqualTo(201);
    }

    @Test
    void theProducerOfAMessageIsTheSubjectOfTheToken() throws Exception {
        open();
        post(PUSH, ITEM, ADA);
        assertThat(line(api.engine.next(PushCommand.class).items().getFirst().line()))
                .contains("\"producerSub\":\"ada\"").doesNotContain("mallory");

        api.engine.isSilent = true;
        var waiting = api.request("/api/v1/transaction").header("Authorization", ADA)
                .POST(HttpRequest.BodyPublishers.ofString("{\"operations\":[{\"type\":\"push\",\"queue\":\"q\","
                        + "\"producerSub\":\"mallory\",\"payload\":{\"producerSub\":1}}]}"));
        Thread.ofVirtual().start(() -> {
            try {
                api.send(waiting);
            } catch (Exception _) {
                // the API is closed during the request
            }
        });
        var operation = (TransactCommand.Operation.Push) api.engine.next(TransactCommand.class).operations().getFirst();
        assertThat(line(operation.item().line())).contains("\"producerSub\":\"ada\"").doesNotContain("mallory");
    }

    @Test
    void theProducerOfEmittedMessagesIsTheSubjectOfTheToken() throws Exception {
        open();
        String id = FakeEngine.PARTITION.toString();

        post(CycleRoute.PATH, "{\"query_id\":\"" + id + "\",\"partition_id\":\"" + id
                + "\",\"push_items\":[{\"queue\":\"q\",\"producerSub\":\"mallory\",\"payload\":1}]}", ADA);

        assertThat(line(api.engine.next(CycleCommand.class).pushes().getFirst().line()))
                .contains("\"producerSub\":\"ada\"").doesNotContain("mallory");
    }

    @Test
    void theSubjectIsNotReusedForTheNextRequest() throws Exception {
        open();
        post(PUSH, ITEM, ADA);
        api.engine.next(PushCommand.class);

        post(PUSH, ITEM, TestTokens.valid("{\"role\":\"admin\"}"));

        assertThat(line(api.engine.next(PushCommand.class).items().getFirst().line())).contains("\"producerSub\":null");
    }

    @Test
    void theActorIsPassedToTheAuditLog() throws Exception {
        open();
        post("/api/v1/configure", "{\"queue\":\"q\"}", ADA);
        assertThat(api.engine.next(ConfigureCommand.class).actor()).isEqualTo("ada");
        api.send(api.request("/api/v1/resources/queues/q").header("Authorization", ADA).DELETE());
        assertThat(api.engine.next(DeleteQueueCommand.class).actor()).isEqualTo("ada");
        assertThat(api.operatorCalls.poll().routine()).isEqualTo("continue_deletion");
        post("/api/v1/resources/queues/q/pause", "", ADA);
        assertThat(api.operatorCalls.poll().arguments().getFirst()).isEqualTo("ada");
    }

    @Test
    void onlySkippedPathsNeedNoToken() throws Exception {
        open("JWT_SKIP_PATHS", "/,/api/v1/push,/api/v1/resources/");

        assertThat(post(PUSH, ITEM, null).statusCode()).isEqualTo(201);
        assertThat(post("/api/v1/resources/queues/q/pause", "", null).statusCode()).isEqualTo(200);
        assertThat(post("/api/v1/configure", "{\"queue\":\"q\"}", null).statusCode()).isEqualTo(401);
        for (String path : List.of("/api/v1/resources/../configure", "/api/v1/resources/%2e%2e/configure",
                "/api/v1/push/../configure")) {
            assertThat(post(path, "{\"queue\":\"q\"}", null).statusCode()).as(path).isIn(401, 404);
        }
    }

    @Test
    void rejectionsContainTheProblemAndTheRemedy() throws Exception {
        open();

        assertThat(post(PUSH, ITEM, null)).satisfies(answer -> {
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.headers().firstValue("www-authenticate")).hasValue("Bearer");
            assertThat(answer.body()).contains("a token is needed");
        });
        assertThat(post(PUSH, ITEM, TestTokens.valid("{\"role\":\"read-only\"}")).body())
                .isEqualTo("{\"error\":\"the token does not allow this: read-write access is needed\"}");
        assertThat(post(PUSH, ITEM, TestTokens.hs256("{\"exp\":1}")).body()).contains("expired");
    }

    @Test
    void aRequestWaitsUntilAnUnknownKeyIsFetched() throws Exception {
        try (KeyServer keys = new KeyServer()) {
            openWith(Map.of("JWT_ALGORITHM", "RS256", "JWT_JWKS_URL", keys.url()));
            keys.keys = List.of(TestTokens.jwk("new", TestTokens.RSA.getPublic()));
            String payload = "x".repeat(100_000);

            HttpResponse<String> answer = post(PUSH, "{\"items\":[{\"queue\":\"q\",\"payload\":\"" + payload + "\"}]}",
                    TestTokens.rs256(TestTokens.expiring("{\"role\":\"admin\"}"), "new", TestTokens.RSA.getPrivate()));

            assertThat(answer.statusCode()).isEqualTo(201);
            assertThat(line(api.engine.next(PushCommand.class).items().getFirst().line())).contains(payload);
            assertThat(post(PUSH, ITEM,
                    TestTokens.rs256(TestTokens.expiring("{}"), "unknown", TestTokens.RSA.getPrivate())).statusCode())
                    .isEqualTo(401);
            assertThat(keys.requests()).isEqualTo(2);
        }
    }

    @Test
    void anInvalidRequestIsAnsweredAfterWaitingForAKey() throws Exception {
        try (KeyServer keys = new KeyServer()) {
            openWith(Map.of("JWT_ALGORITHM", "RS256", "JWT_JWKS_URL", keys.url()));
            keys.keys = List.of(TestTokens.jwk("new", TestTokens.RSA.getPublic()));
            String token = TestTokens.rs256(TestTokens.expiring("{\"role\":\"admin\"}"), "new",
                    TestTokens.RSA.getPrivate());

            HttpResponse<String> answer = api.send(api.request("/api/v1/pop/queue/a%2Fb")
                    .timeout(Duration.ofSeconds(30)).header("Authorization", token).GET());

            assertThat(answer.statusCode()).isEqualTo(400);
        }
    }

    @Test
    void withoutPublishedKeysTokensCannotBeVerified() throws Exception {
        try (KeyServer keys = new KeyServer()) {
            keys.status = 404;
            openWith(Map.of("JWT_ALGORITHM", "RS256", "JWT_JWKS_URL", keys.url()));

            HttpResponse<String> answer = post(PUSH, ITEM,
                    TestTokens.rs256(TestTokens.expiring("{}"), "x", TestTokens.RSA.getPrivate()));

            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("retry-after")).hasValue("5");
        }
    }

    private void open(String... settings) throws Exception {
        Map<String, String> variables = new HashMap<>(Map.of("JWT_SECRET", TestTokens.SECRET));
        for (int i = 0; i < settings.length; i += 2) {
            variables.put(settings[i], settings[i + 1]);
        }
        openWith(variables);
    }

    private void openWith(Map<String, String> variables) throws Exception {
        Map<String, String> all = new HashMap<>(variables);
        all.put("JWT_ENABLED", "true");
        api = TestApi.with(all);
    }

    private HttpResponse<String> post(String path, String body, String authorization) throws Exception {
        var request = api.request(path).POST(HttpRequest.BodyPublishers.ofString(body));
        return api.send(authorization == null ? request : request.header("Authorization", authorization));
    }

    private static String line(byte[] line) {
        return new String(line, StandardCharsets.UTF_8);
    }
}
