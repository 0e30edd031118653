package io.queenmq.server.auth;

import static io.queenmq.server.auth.TestTokens.ED;
import static io.queenmq.server.auth.TestTokens.OTHER_RSA;
import static io.queenmq.server.auth.TestTokens.RSA;
import static io.queenmq.server.auth.TestTokens.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.config.ConfigReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenVerifierTest {
    private static final long NOW_MS = 1_700_000_000_000L;
    private static final String ADMIN = "{\"sub\":\"ada\",\"role\":\"admin\"}";

    @Test
    void eachAlgorithmIsAcceptedWithItsOwnKey() {
        assertAccepted(verifier("JWT_SECRET", SECRET), TestTokens.hs256(ADMIN));
        assertAccepted(verifier("JWT_ALGORITHM", "RS256", "JWT_PUBLIC_KEY", TestTokens.pem(RSA.getPublic())),
                TestTokens.rs256(ADMIN, "any", RSA.getPrivate()));
        assertAccepted(verifier("JWT_ALGORITHM", "EdDSA", "JWT_PUBLIC_KEY", TestTokens.pem(ED.getPublic())),
                TestTokens.edDsa(ADMIN, null, ED.getPrivate()));
    }

    @Test
    void autoAcceptsAlgorithmsWithAKey() {
        TokenVerifier both = verifier("JWT_ALGORITHM", "auto", "JWT_SECRET", SECRET, "JWT_PUBLIC_KEY",
                TestTokens.pem(RSA.getPublic()).replace("\n", "\\n"));
        TokenVerifier publicOnly = verifier("JWT_ALGORITHM", "auto", "JWT_PUBLIC_KEY", TestTokens.pem(RSA.getPublic()));

        assertAccepted(both, TestTokens.hs256(ADMIN));
        assertAccepted(both, TestTokens.rs256(ADMIN, null, RSA.getPrivate()));
        assertRefused(publicOnly, TestTokens.hs256(ADMIN));
    }

    @Test
    void aTokenWithAnotherSignatureIsRejected() {
        assertRefused(verifier("JWT_SECRET", SECRET), TestTokens.hs256(ADMIN, "guess".getBytes()));
        assertRefused(verifier("JWT_ALGORITHM", "RS256", "JWT_PUBLIC_KEY", TestTokens.pem(RSA.getPublic())),
                TestTokens.rs256(ADMIN, null, OTHER_RSA.getPrivate()));
        String genuine = TestTokens.hs256("{\"role\":\"read-only\"}");
        String[] parts = genuine.split("\\.");
        String claims = TestTokens.hs256(ADMIN).split("\\.")[1];
        assertRefused(verifier("JWT_SECRET", SECRET), parts[0] + "." + claims + "." + parts[2]);
        assertRefused(verifier("JWT_SECRET", SECRET), parts[0] + "." + parts[1] + ".");
    }

    /** A public key is not secret, so it must never be used as a secret. */
    @Test
    void aPublicKeyIsNoSecret() {
        String pem = TestTokens.pem(RSA.getPublic());
        for (String algorithm : new String[]{"RS256", "auto"}) {
            TokenVerifier verifier = verifier("JWT_ALGORITHM", algorithm, "JWT_PUBLIC_KEY", pem);
            assertRefused(verifier, TestTokens.hs256(ADMIN, pem.getBytes(StandardCharsets.UTF_8)));
            assertRefused(verifier, TestTokens.hs256(ADMIN, RSA.getPublic().getEncoded()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"alg\":\"none\"}", "{\"alg\":\"None\"}", "{\"alg\":\"\"}", "{}", "{\"alg\":null}",
        "{\"alg\":\"HS512\"}", "{\"alg\":\"HS256\",\"crit\":[\"x\"]}", "{\"alg\":\"HS256\",\"kid\":7}"})
    void unsignedAndStrangeTokensAreRefused(String header) {
        assertRefused(verifier("JWT_ALGORITHM", "auto", "JWT_SECRET", SECRET), TestTokens.unsigned(header, ADMIN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a.b", "a.b.c", "a.b.c.d", "e30.e30.", "e30=.e30.x", "☃.☃.☃"})
    void malformedTokensAreRejected(String text) {
        assertRefused(verifier("JWT_SECRET", SECRET), text);
    }

    @ParameterizedTest
    @CsvSource({"exp,-31,false", "exp,-29,true", "exp,60,true", "nbf,31,false", "nbf,29,true", "iat,31,false",
        "iat,29,true"})
    void timesAreCheckedWithTheSkewAllowed(String claim, int seconds, boolean isAccepted) {
        Verdict verdict = verifier("JWT_SECRET", SECRET)
                .verify(TestTokens.hs256("{\"" + claim + "\":" + (NOW_MS / 1000 + seconds) + "}"), NOW_MS);

        assertThat(verdict instanceof Verdict.Accepted).isEqualTo(isAccepted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"exp\":\"soon\"}", "{\"exp\":true}", "{\"nbf\":\"x\"}", "{\"iat\":[]}", "{\"sub\":7}",
        "{\"sub\":\"a\\u0000b\"}", "{\"sub\":\"a\\nb\"}", "{\"sub\":\"\\ud83d\"}", "{\"sub\":\"a\",\"sub\":\"b\"}",
        "[]", "{} {}", "7"})
    void nonsenseInClaimsIsRefused(String claims) {
        assertRefused(verifier("JWT_SECRET", SECRET), TestTokens.hs256(claims));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{\"iss\":\"us\",\"aud\":\"queen\"}|true",
        "{\"iss\":\"us\",\"aud\":[\"x\",\"queen\"]}|true", "{\"iss\":\"them\",\"aud\":\"queen\"}|false",
        "{\"iss\":\"us\",\"aud\":\"x\"}|false", "{\"aud\":\"queen\"}|false", "{\"iss\":\"us\"}|false",
        "{\"iss\":[\"us\"],\"aud\":\"queen\"}|false"})
    void issuerAndAudienceMustBeAsConfigured(String claims, boolean isAccepted) {
        Verdict verdict = verifier("JWT_SECRET", SECRET, "JWT_ISSUER", "us", "JWT_AUDIENCE", "queen")
                .verify(TestTokens.hs256(claims), NOW_MS);

        assertThat(verdict instanceof Verdict.Accepted).isEqualTo(isAccepted);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{\"role\":\"admin\"}|ADMIN", "{\"role\":\"read-write\"}|READ_WRITE",
        "{\"role\":\"read-only\"}|READ_ONLY", "{\"roles\":[\"x\",\"read-write\"]}|READ_WRITE",
        "{\"role\":\"read-only\",\"roles\":[\"admin\"]}|ADMIN", "{\"role\":\"king\"}|NONE", "{}|NONE",
        "{\"role\":true}|NONE", "{\"roles\":[[\"admin\"],{\"admin\":1}]}|NONE"})
    void theHighestRoleCounts(String claims, Role role) {
        Verdict verdict = verifier("JWT_SECRET", SECRET).verify(TestTokens.hs256(claims), NOW_MS);

        assertThat(verdict).isInstanceOfSatisfying(Verdict.Accepted.class,
                accepted -> assertThat(accepted.identity().role()).isEqualTo(role));
    }

    @Test
    void rolesAndTheirClaimsMayHaveOtherNames() {
        TokenVerifier verifier = verifier("JWT_SECRET", SECRET, "JWT_ROLES_CLAIM", "r", "JWT_ROLE_ADMIN", "boss");

        assertThat(verifier.verify(TestTokens.hs256("{\"r\":\"boss\",\"role\":\"read-only\"}"), NOW_MS))
                .isEqualTo(new Verdict.Accepted(new Identity(null, Role.ADMIN, Long.MAX_VALUE)));
    }

    @Test
    void aCachedTokenExpires() {
        TokenCache cache = new TokenCache();
        cache.add("short", new Identity("a", Role.ADMIN, NOW_MS + 10), NOW_MS, 1);
        cache.add("long", new Identity("b", Role.ADMIN, Long.MAX_VALUE), NOW_MS, 1);

        assertThat(cache.find("short", NOW_MS + 9, 1).subject()).isEqualTo("a");
        assertThat(cache.find("short", NOW_MS + 10, 1)).isNull();
        assertThat(cache.find("long", NOW_MS + TokenCache.KEPT_MS - 1, 1).subject()).isEqualTo("b");
        assertThat(cache.find("long", NOW_MS + TokenCache.KEPT_MS, 1)).isNull();
    }

    private static void assertAccepted(TokenVerifier verifier, String token) {
        assertThat(verifier.verify(token, NOW_MS))
                .isEqualTo(new Verdict.Accepted(new Identity("ada", Role.ADMIN, Long.MAX_VALUE)));
    }

    private static void assertRefused(TokenVerifier verifier, String token) {
        assertThat(verifier.verify(token, NOW_MS)).isInstanceOf(Verdict.Refused.class);
    }

    private static TokenVerifier verifier(String... settings) {
        Map<String, String> variables = new HashMap<>(Map.of("JWT_ENABLED", "true", "JWT_REQUIRE_EXP", "false"));
        for (int i = 0; i < settings.length; i += 2) {
            variables.put(settings[i], settings[i + 1]);
        }
        var config = ConfigReader.read(variables).access().auth();
        return new TokenVerifier(config,
                config.keys().publicKey() == null ? null : PublicKeys.fixed(config.keys().publicKey()),
                () -> Revocations.NONE);
    }
}
