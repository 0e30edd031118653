package io.queenmq.server.auth;

import static io.queenmq.server.auth.TestTokens.ED;
import static io.queenmq.server.auth.TestTokens.OTHER_RSA;
import static io.queenmq.server.auth.TestTokens.RSA;
import static io.queenmq.server.auth.TestTokens.jwk;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.testkit.Await;
import java.security.KeyPairGenerator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Published keys are found by their id, fetched outside of the event loop, and fetched at most at the configured rate. */
class JwksTest {
    private static final long NOW_MS = System.currentTimeMillis();
    private static final String CLAIMS = "{\"sub\":\"ada\"}";

    private final KeyServer server = new KeyServer();
    private Authenticator authenticator;

    @AfterEach
    void close() {
        if (authenticator != null) {
            authenticator.close();
        }
        server.close();
    }

    @Test
    void keysAreFoundByTheirId() {
        server.keys = List.of(jwk("one", RSA.getPublic()), jwk("two", OTHER_RSA.getPublic()),
                jwk("ed", ED.getPublic()));
        open("auto");

        assertAccepted(TestTokens.rs256(CLAIMS, "one", RSA.getPrivate()));
        assertAccepted(TestTokens.rs256(CLAIMS, "two", OTHER_RSA.getPrivate()));
        assertAccepted(TestTokens.edDsa(CLAIMS, "ed", ED.getPrivate()));
        assertThat(verify(TestTokens.rs256(CLAIMS, "one", OTHER_RSA.getPrivate()))).isInstanceOf(Verdict.Refused.class);
        assertThat(verify(TestTokens.rs256(CLAIMS, "ed", RSA.getPrivate()))).isInstanceOf(Verdict.UnknownKey.class);
    }

    @Test
    void aTokenWithoutAKeyIdIsTriedWithAllOfItsKind() {
        server.keys = List.of(jwk("one", RSA.getPublic()), jwk("ed", ED.getPublic()),
                jwk("two", OTHER_RSA.getPublic()));
        open("RS256");

        assertAccepted(TestTokens.rs256(CLAIMS, null, OTHER_RSA.getPrivate()));
        assertThat(verify(TestTokens.edDsa(CLAIMS, null, ED.getPrivate()))).isInstanceOf(Verdict.Refused.class);
    }

    @Test
    void weakKeysAndKeysForOtherUsesAreIgnored() throws Exception {
        KeyPairGenerator weak = KeyPairGenerator.getInstance("RSA");
        weak.initialize(1024);
        var weakPair = weak.generateKeyPair();
        server.keys = List.of(jwk("enc", RSA.getPublic()).replace("\"sig\"", "\"enc\""),
                jwk("weak", weakPair.getPublic()), "{\"kty\":\"oct\",\"kid\":\"secret\",\"k\":\"eA\"}",
                "{\"kty\":\"RSA\",\"kid\":\"broken\",\"n\":\"?\"}", "7");
        open("RS256");

        for (String keyId : List.of("enc", "weak", "secret", "broken")) {
            assertThat(authenticatorKnows(keyId)).isFalse();
        }
        assertThat(verify(TestTokens.rs256(CLAIMS, "weak", weakPair.getPrivate())))
                .isInstanceOf(Verdict.UnknownKey.class);
    }

    @Test
    void aKeyPublishedLaterIsFoundWhenATokenNamesIt() throws Exception {
        server.keys = List.of(jwk("one", RSA.getPublic()));
        open("RS256");
        server.keys = List.of(jwk("one", RSA.getPublic()), jwk("two", OTHER_RSA.getPublic()));
        String token = TestTokens.rs256(CLAIMS, "two", OTHER_RSA.getPrivate());
        assertThat(verify(token)).isInstanceOf(Verdict.UnknownKey.class);

        authenticator.refreshKeys().get(60, TimeUnit.SECONDS);

        assertAccepted(token);
    }

    /** W20: unknown keys cost one fetch in 30 seconds, however many tokens name one. */
    @Test
    void manyUnknownKeysCauseOneFetch() throws Exception {
        open("RS256");
        assertThat(server.requests()).isEqualTo(1);
        CountDownLatch gate = new CountDownLatch(1);
        server.gate = gate;

        var waiting = IntStream.range(0, 1_000).mapToObj(_ -> authenticator.refreshKeys()).toList();
        assertThat(waiting).noneMatch(look -> look.isDone());
        gate.countDown();
        for (var look : waiting) {
            look.get(60, TimeUnit.SECONDS);
        }
        for (int i = 0; i < 1_000; i++) {
            assertThat(authenticator.refreshKeys()).isDone();
        }

        assertThat(server.requests()).isEqualTo(2);
    }

    @Test
    void keysStayInForceWhileTheyCannotBeFetchedAgain() throws Exception {
        server.keys = List.of(jwk("one", RSA.getPublic()));
        open("RS256");
        server.status = 500;

        authenticator.refreshKeys().get(60, TimeUnit.SECONDS);

        assertThat(server.requests()).isEqualTo(2);
        assertAccepted(TestTokens.rs256(CLAIMS, "one", RSA.getPrivate()));
    }

    @Test
    void keysAreFetchedAtIntervalsAndThoseWithdrawnStopWorking() {
        server.keys = List.of(jwk("one", RSA.getPublic()));
        open("RS256", "JWT_JWKS_REFRESH_INTERVAL", "1");
        String token = TestTokens.rs256(CLAIMS, "one", RSA.getPrivate());
        assertAccepted(token);

        server.keys = List.of(jwk("two", RSA.getPublic()));

        await(token, Verdict.UnknownKey.class);
    }

    @Test
    void keysAreFetchedAfterAStartWithoutKeys() {
        server.status = 503;
        server.keys = List.of(jwk("one", RSA.getPublic()));
        open("RS256");
        String token = TestTokens.rs256(CLAIMS, "one", RSA.getPrivate());
        assertThat(verify(token)).isEqualTo(new Verdict.Refused(Rejection.UNAVAILABLE));

        server.status = 200;

        await(token, Verdict.Accepted.class);
    }

    private void await(String token, Class<? extends Verdict> verdict) {
        Await.until(() -> verdict.isInstance(verify(token)));
    }

    private boolean authenticatorKnows(String keyId) {
        return !(verify(TestTokens.rs256(CLAIMS, keyId, RSA.getPrivate())) instanceof Verdict.UnknownKey);
    }

    private void assertAccepted(String token) {
        assertThat(verify(token)).isInstanceOf(Verdict.Accepted.class);
    }

    private Verdict verify(String token) {
        return authenticator.verify(token, NOW_MS);
    }

    private void open(String algorithm, String... more) {
        Map<String, String> variables = new HashMap<>(Map.of("JWT_ENABLED", "true", "JWT_REQUIRE_EXP", "false",
                "JWT_ALGORITHM", algorithm, "JWT_JWKS_URL", server.url(), "JWT_JWKS_TIMEOUT_MS", "60000"));
        for (int i = 0; i < more.length; i += 2) {
            variables.put(more[i], more[i + 1]);
        }
        authenticator = Authenticator.open(ConfigReader.read(variables).access().auth(), new TestAuthStore(),
                new SimpleMeterRegistry());
    }
}
