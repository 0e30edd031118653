package io.queenmq.server.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.auth.KeyServer;
import io.queenmq.server.auth.TestTokens;
import io.queenmq.server.http.TestApi;
import io.queenmq.testkit.Await;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rejected requests are counted, limited and recorded, and revoked tokens are rejected. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class GuardRejectionTest {
    private static final String AUDIT = "/api/v1/system/audit";
    private static final String PUSH = "/api/v1/push";
    private static final String METRICS = "/metrics/prometheus";
    private static final String ADMIN = TestTokens.valid("{\"sub\":\"ada\",\"role\":\"admin\",\"jti\":\"one\"}");
    private static final String READER = TestTokens.valid("{\"sub\":\"bob\",\"role\":\"read-only\"}");

    private TestApi api;

    @AfterEach
    void close() throws Exception {
        api.close();
    }

    @Test
    void rejectionsAreCountedByReason() throws Exception {
        open();
        get(AUDIT, null);
        get(AUDIT, "nonsense");
        get(AUDIT, forged(1));
        get(AUDIT, forged(2));
        get(AUDIT, TestTokens.hs256("{\"exp\":1}"));
        get(AUDIT, READER);

        assertThat(get(METRICS, READER).body()).contains("queen_auth_rejected_total{reason=\"no_token\"} 1.0",
                "queen_auth_rejected_total{reason=\"malformed\"} 1.0",
                "queen_auth_rejected_total{reason=\"signature\"} 2.0",
                "queen_auth_rejected_total{reason=\"expired\"} 1.0",
                "queen_auth_rejected_total{reason=\"forbidden\"} 1.0",
                "queen_auth_rejected_total{reason=\"revoked\"} 0.0");
    }

    @Test
    void anAddressWithManyFailuresIsAnswered429() throws Exception {
        open("AUTH_FAILURES_MAX", "5", "AUTH_BLOCK_SECONDS", "3600");
        assertThat(get(AUDIT, ADMIN).statusCode()).isEqualTo(200);
        for (int i = 0; i < 5; i++) {
            assertThat(get(AUDIT, forged(i)).statusCode()).isEqualTo(401);
        }

        HttpResponse<String> blocked = get(AUDIT, forged(9));
        assertThat(blocked.statusCode()).isEqualTo(429);
        assertThat(blocked.headers().firstValueAsLong("retry-after").orElse(0)).isBetween(1L, 3600L);
        assertThat(blocked.body()).contains("too many tokens from this address were rejected");
        // An unknown token is not verified, even if it is genuine. A cached one is accepted on every event loop.
        assertThat(get(AUDIT, TestTokens.valid("{\"role\":\"admin\"}")).statusCode()).isEqualTo(429);
        for (int i = 0; i < 20; i++) {
            assertThat(onNewConnection(AUDIT, ADMIN)).isEqualTo(200);
        }
        assertThat(get("/health", null).statusCode()).isEqualTo(200);
        assertThat(get(METRICS, ADMIN).body()).contains("queen_auth_rejected_total{reason=\"blocked\"} 2.0",
                "queen_auth_rejected_total{reason=\"signature\"} 5.0");
    }

    @Test
    void aKnownTokenPassesABlockedAddressAlsoAfterItLeftTheCache() throws Exception {
        open("AUTH_FAILURES_MAX", "1", "AUTH_BLOCK_SECONDS", "3600");
        assertThat(get(AUDIT, ADMIN).statusCode()).isEqualTo(200);
        assertThat(get(AUDIT, forged(1)).statusCode()).isEqualTo(401);
        assertThat(get(AUDIT, forged(1)).statusCode()).isEqualTo(429);

        // Any revocation empties the caches.
        api.authStore.revoke(Set.of("other"), Map.of(), 0);
        api.authStore.awaitLoad();

        assertThat(get(AUDIT, ADMIN).statusCode()).isEqualTo(200);
    }

    /** Requests without a token need no verification, and rights cannot be guessed. */
    @Test
    void missingTokensAndMissingRightsDoNotBlock() throws Exception {
        open("AUTH_FAILURES_MAX", "2", "AUTH_BLOCK_SECONDS", "3600");
        for (int i = 0; i < 10; i++) {
            assertThat(get(AUDIT, null).statusCode()).isEqualTo(401);
            assertThat(get(AUDIT, READER).statusCode()).isEqualTo(403);
        }

        assertThat(get(AUDIT, TestTokens.valid("{\"role\":\"admin\"}")).statusCode()).isEqualTo(200);
    }

    @Test
    void rejectedOperatorActionsAreRecordedWithTheirAddress() throws Exception {
        open();
        get(AUDIT, null);
        get(AUDIT, forged(1));
        get(AUDIT, READER);
        post(PUSH, READER);
        post(PUSH, null);
        get("/api/v1/pop/queue/q", READER);
        get("/api/v1/status", null);
        api.send(api.request("/api/v1/resources/queues/secret").header("Authorization", READER).DELETE());

        // Allowed by its level, and rejected by the route.
        assertThat(post("/api/v1/dlq/redrive", TestTokens.valid("{\"sub\":\"eve\",\"role\":\"read-write\"}")))
                .isEqualTo(403);

        Await.until(() -> api.authStore.recorded().size() >= 6);
        assertThat(api.authStore.recorded()).containsExactlyInAnyOrder("null 127.0.0.1 GET " + AUDIT + " no_token 1",
                "null 127.0.0.1 GET " + AUDIT + " signature 1", "bob 127.0.0.1 GET " + AUDIT + " forbidden 1",
                "bob 127.0.0.1 POST " + PUSH + " forbidden 1",
                "bob 127.0.0.1 DELETE /api/v1/resources/queues/:queue forbidden 1",
                "eve 127.0.0.1 POST /api/v1/dlq/redrive forbidden 1");
    }

    @Test
    void aRevokedTokenIsRejectedAlthoughItWasCached() throws Exception {
        open();
        assertThat(get(AUDIT, ADMIN).statusCode()).isEqualTo(200);

        api.authStore.revoke(Set.of("one"), Map.of(), 0);
        api.authStore.awaitLoad();

        HttpResponse<String> answer = get(AUDIT, ADMIN);
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.body()).contains("the token was revoked");
    }

    @Test
    void metricsNeedATokenUnlessTheyArePublic() throws Exception {
        open();
        assertThat(get(METRICS, null).statusCode()).isEqualTo(401);
        assertThat(get(METRICS, TestTokens.valid("{\"role\":\"none\"}")).statusCode()).isEqualTo(403);
        assertThat(get(METRICS, READER).statusCode()).isEqualTo(200);
        assertThat(get("/metrics", null).statusCode()).isEqualTo(200);
        api.close();

        open("METRICS_PUBLIC", "true");
        assertThat(get(METRICS, null).statusCode()).isEqualTo(200);
        assertThat(get(AUDIT, null).statusCode()).isEqualTo(401);
        api.close();

        open("JWT_SKIP_PATHS", "/metrics/prometheus");
        assertThat(get(METRICS, null).statusCode()).isEqualTo(200);
        api.close();

        api = TestApi.with(Map.of());
        assertThat(get(METRICS, null).statusCode()).isEqualTo(200);
    }

    @Test
    void anUnknownKeyIsAnswered503WhileKeysCannotBeFetched() throws Exception {
        try (KeyServer keys = new KeyServer()) {
            keys.keys = List.of(TestTokens.jwk("one", TestTokens.RSA.getPublic()));
            Map<String, String> settings = Map.of("JWT_ENABLED", "true", "JWT_ALGORITHM", "RS256", "JWT_JWKS_URL",
                    keys.url());
            api = TestApi.with(settings);
            keys.status = 500;
            String claims = TestTokens.expiring("{\"role\":\"admin\"}");

            HttpResponse<String> answer = get(AUDIT, TestTokens.rs256(claims, "two", TestTokens.RSA.getPrivate()));

            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("retry-after")).hasValue("5");
            assertThat(get(AUDIT, TestTokens.rs256(claims, "one", TestTokens.RSA.getPrivate())).statusCode())
                    .isEqualTo(200);
        }
    }

    private static String forged(int number) {
        String genuine = TestTokens.valid("{\"role\":\"admin\",\"n\":" + number + "}");
        return genuine.substring(0, genuine.lastIndexOf('.')) + "." + "A".repeat(43);
    }

    private void open(String... settings) throws Exception {
        Map<String, String> variables = new HashMap<>(Map.of("JWT_ENABLED", "true", "JWT_SECRET", TestTokens.SECRET));
        for (int i = 0; i < settings.length; i += 2) {
            variables.put(settings[i], settings[i + 1]);
        }
        api = TestApi.with(variables);
    }

    private HttpResponse<String> get(String path, String token) throws Exception {
        var request = api.request(path).GET();
        return api.send(token == null ? request : request.header("Authorization", "Bearer " + token));
    }

    private int post(String path, String token) throws Exception {
        var request = api.request(path).POST(HttpRequest.BodyPublishers.ofString("{}"));
        return api.send(token == null ? request : request.header("Authorization", "Bearer " + token)).statusCode();
    }

    private int onNewConnection(String path, String token) throws Exception {
        try (var socket = api.socket()) {
            TestApi.write(socket,
                    "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\n\r\n");
            return Integer.parseInt(TestApi.readHead(socket).split(" ")[1]);
        }
    }
}
