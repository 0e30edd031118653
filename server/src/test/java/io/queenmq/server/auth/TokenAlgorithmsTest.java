package io.queenmq.server.auth;

import static io.queenmq.server.auth.TestTokens.ED;
import static io.queenmq.server.auth.TestTokens.OTHER_RSA;
import static io.queenmq.server.auth.TestTokens.RSA;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queenmq.server.config.ConfigReader;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each allowed algorithm verifies its own signatures, and nothing is accepted by way of another one. */
class TokenAlgorithmsTest {
    private static final long NOW_MS = 1_700_000_000_000L;
    private static final String CLAIMS = "{\"sub\":\"ada\",\"role\":\"admin\",\"exp\":1700000060}";
    private static final String SECRET = "0123456789abcdef".repeat(4);
    private static final Map<String, KeyPair> CURVES = Map.of("ES256", TestTokens.ec("secp256r1"), "ES384",
            TestTokens.ec("secp384r1"), "ES512", TestTokens.ec("secp521r1"));
    private static final List<String> PUBLIC = List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256",
            "ES384", "ES512", "EdDSA");

    @Test
    void eachAlgorithmAcceptsItsOwnTokensAndNoOthers() {
        for (String configured : PUBLIC) {
            TokenVerifier verifier = verifier("JWT_ALGORITHM", configured, "JWT_PUBLIC_KEY", pem(configured));
            for (String used : PUBLIC) {
                Verdict verdict = verifier.verify(token(used), NOW_MS);
                assertThat(verdict instanceof Verdict.Accepted).as(used + " with " + configured)
                        .isEqualTo(used.equals(configured));
            }
        }
    }

    @Test
    void autoAcceptsEveryAlgorithmThatThePublicKeyIsFor() {
        for (String kind : List.of("RS256", "ES256", "ES384", "ES512", "EdDSA")) {
            TokenVerifier verifier = verifier("JWT_ALGORITHM", "auto", "JWT_PUBLIC_KEY", pem(kind));
            for (String used : PUBLIC) {
                boolean isRsa = kind.equals("RS256") && (used.startsWith("RS") || used.startsWith("PS"));
                assertThat(verifier.verify(token(used), NOW_MS) instanceof Verdict.Accepted).as(used + " with " + kind)
                        .isEqualTo(isRsa || used.equals(kind));
            }
        }
    }

    @Test
    void autoAcceptsPublishedKeysOfEveryKind() {
        try (KeyServer server = new KeyServer()) {
            server.keys = PUBLIC.stream().map(name -> TestTokens.jwk(name, pair(name).getPublic())).toList();
            Authenticator authenticator = Authenticator.open(ConfigReader
                    .read(Map.of("JWT_ENABLED", "true", "JWT_ALGORITHM", "auto", "JWT_JWKS_URL", server.url())).access()
                    .auth(), new TestAuthStore(), new SimpleMeterRegistry());
            try (authenticator) {
                assertThat(PUBLIC).allSatisfy(name -> assertThat(authenticator.verify(token(name), NOW_MS))
                        .isInstanceOf(Verdict.Accepted.class));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"HS256,HmacSHA256", "HS384,HmacSHA384", "HS512,HmacSHA512"})
    void secretsVerifyTheirOwnHash(String name, String algorithm) {
        String token = TestTokens.hmac(name, algorithm, CLAIMS, SECRET.getBytes(StandardCharsets.UTF_8));

        assertThat(verifier("JWT_ALGORITHM", name, "JWT_SECRET", SECRET).verify(token, NOW_MS))
                .isInstanceOf(Verdict.Accepted.class);
        assertThat(verifier("JWT_ALGORITHM", "auto", "JWT_SECRET", SECRET).verify(token, NOW_MS))
                .isInstanceOf(Verdict.Accepted.class);
        assertRejected(verifier("JWT_ALGORITHM", name, "JWT_SECRET", SECRET + "x"), token, Rejection.SIGNATURE);
    }

    @Test
    void aSecretShorterThanTheHashIsNotUsedWithIt() {
        byte[] secret = SECRET.substring(0, 32).getBytes(StandardCharsets.UTF_8);
        TokenVerifier verifier = verifier("JWT_ALGORITHM", "auto", "JWT_SECRET", SECRET.substring(0, 32));

        assertThat(verifier.verify(TestTokens.hs256(CLAIMS, secret), NOW_MS)).isInstanceOf(Verdict.Accepted.class);
        assertRejected(verifier, TestTokens.hmac("HS512", "HmacSHA512", CLAIMS, secret), Rejection.ALGORITHM);
    }

    /** A public key of any kind must never be used as a secret. */
    @ParameterizedTest
    @ValueSource(strings = {"RS256", "PS512", "ES256", "ES512", "EdDSA"})
    void noPublicKeyIsASecret(String algorithm) {
        for (String configured : List.of(algorithm, "auto")) {
            TokenVerifier verifier = verifier("JWT_ALGORITHM", configured, "JWT_PUBLIC_KEY", pem(algorithm));
            for (byte[] secret : List.of(pem(algorithm).getBytes(StandardCharsets.UTF_8),
                    pair(algorithm).getPublic().getEncoded())) {
                assertRejected(verifier, TestTokens.hs256(CLAIMS, secret), Rejection.ALGORITHM);
                assertRejected(verifier, TestTokens.hmac("HS512", "HmacSHA512", CLAIMS, secret), Rejection.ALGORITHM);
            }
        }
    }

    /** Signatures of zeros were accepted by broken implementations of ECDSA. */
    @ParameterizedTest
    @CsvSource({"ES256,64", "ES384,96", "ES512,132", "EdDSA,64", "RS256,256", "PS256,256"})
    void emptyAndZeroSignaturesAreRejected(String algorithm, int length) {
        TokenVerifier verifier = verifier("JWT_ALGORITHM", algorithm, "JWT_PUBLIC_KEY", pem(algorithm));
        String[] parts = token(algorithm).split("\\.");
        assertRejected(verifier, parts[0] + "." + parts[1] + ".", Rejection.MALFORMED);
        for (byte[] signature : List.of(new byte[length], new byte[length - 1], new byte[length + 1])) {
            assertRejected(verifier, parts[0] + "." + parts[1] + "." + TestTokens.part(signature), Rejection.SIGNATURE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"alg\":\"HS256\",\"crit\":[\"exp\"],\"exp\":1}", "{\"alg\":\"HS256\",\"crit\":[]}",
        "{\"alg\":\"HS256\",\"crit\":[\"b64\"],\"b64\":true}", "{\"alg\":\"HS256\",\"b64\":false,\"crit\":[\"b64\"]}",
        "{\"alg\":\"HS256\",\"alg\":\"none\"}", "{\"alg\":\"none\",\"alg\":\"HS256\"}",
        "{\"alg\":\"HS256\",\"kid\":{}}", "{\"alg\":\"HS256\",\"kid\":[\"a\"]}", "{\"alg\":[\"HS256\"]}",
        "{\"typ\":\"JWT\"}", "[]", "7", "null"})
    void genuineTokensWithStrangeHeadersAreRejected(String header) {
        byte[] secret = SECRET.getBytes(StandardCharsets.UTF_8);
        TokenVerifier verifier = verifier("JWT_SECRET", SECRET);

        assertRejected(verifier, TestTokens.hmacWithHeader(header, "HmacSHA256", CLAIMS, secret), Rejection.MALFORMED);
    }

    /** The client controls keys and addresses of keys in the header: none is used. */
    @Test
    void keysInTheHeaderAreIgnored() {
        TokenVerifier verifier = verifier("JWT_ALGORITHM", "RS256", "JWT_PUBLIC_KEY", pem("RS256"));
        String jwk = TestTokens.jwk("k", OTHER_RSA.getPublic());
        for (String more : List.of("\"jwk\":" + jwk, "\"jku\":\"http://127.0.0.1:1/keys\"",
                "\"x5u\":\"http://127.0.0.1:1/keys\"", "\"kid\":\"../../etc/passwd\"", "\"kid\":\"' or 1=1 --\"")) {
            assertThat(verifier.verify(
                    TestTokens.rs256WithHeader("{\"alg\":\"RS256\"," + more + "}", CLAIMS, OTHER_RSA.getPrivate()),
                    NOW_MS)).as(more).isEqualTo(new Verdict.Refused(Rejection.SIGNATURE));
        }
    }

    @Test
    void hugeAndDeeplyNestedTokensAreRejected() {
        byte[] secret = SECRET.getBytes(StandardCharsets.UTF_8);
        TokenVerifier verifier = verifier("JWT_SECRET", SECRET);
        String deep = "{\"a\":" + "[".repeat(5_000) + "]".repeat(5_000) + "}";

        assertRejected(verifier, TestTokens.hs256("{\"a\":\"" + "x".repeat(20_000) + "\"}", secret),
                Rejection.MALFORMED);
        assertRejected(verifier, TestTokens.hs256(deep, secret), Rejection.MALFORMED);
        assertRejected(verifier,
                TestTokens.hmacWithHeader("{\"alg\":\"HS256\",\"x\":" + deep + "}", "HmacSHA256", CLAIMS, secret),
                Rejection.MALFORMED);
    }

    /** A token has exactly one text. Other texts of it would bypass a list of rejected tokens and fill caches. */
    @Test
    void aTokenHasOneText() {
        TokenVerifier verifier = verifier("JWT_SECRET", SECRET);
        String token = TestTokens.hs256(CLAIMS, SECRET.getBytes(StandardCharsets.UTF_8));
        assertThat(verifier.verify(token, NOW_MS)).isInstanceOf(Verdict.Accepted.class);

        for (String other : List.of(token + "=", token + "\n", token + " ", " " + token, token.replace(".", "=."),
                token.replaceFirst("\\.", ".!"), token + ".", token.replaceFirst("e", "e\u00e9"))) {
            assertRejected(verifier, other, Rejection.MALFORMED);
        }
    }

    /** Bits of the last character that belong to no byte could have any value. */
    @Test
    void theLastCharactersOfATokenMatter() {
        for (String name : PUBLIC) {
            TokenVerifier verifier = verifier("JWT_ALGORITHM", name, "JWT_PUBLIC_KEY", pem(name));
            String token = token(name);
            String start = token.substring(0, token.length() - 1);
            for (char last : "ABCDwxyz0189-_".toCharArray()) {
                assertThat(verifier.verify(token + last, NOW_MS)).isInstanceOf(Verdict.Refused.class);
                assertThat(verifier.verify(start + last, NOW_MS) instanceof Verdict.Accepted)
                        .isEqualTo(token.equals(start + last));
            }
        }
    }

    @Test
    void withoutExpiryATokenIsRejectedUnlessThatIsConfigured() {
        String token = TestTokens.hs256("{\"sub\":\"ada\"}", SECRET.getBytes(StandardCharsets.UTF_8));

        assertRejected(verifier("JWT_SECRET", SECRET), token, Rejection.NO_EXPIRY);
        assertRejected(verifier("JWT_SECRET", SECRET),
                TestTokens.hs256("{\"exp\":null}", SECRET.getBytes(StandardCharsets.UTF_8)), Rejection.NO_EXPIRY);
        assertThat(verifier("JWT_SECRET", SECRET, "JWT_REQUIRE_EXP", "false").verify(token, NOW_MS))
                .isInstanceOf(Verdict.Accepted.class);
    }

    private static KeyPair pair(String algorithm) {
        return switch (algorithm.substring(0, 2)) {
            case "ES" -> CURVES.get(algorithm);
            case "Ed" -> ED;
            default -> RSA;
        };
    }

    private static String pem(String algorithm) {
        return TestTokens.pem(pair(algorithm).getPublic());
    }

    private static String token(String algorithm) {
        return TestTokens.signed(algorithm, CLAIMS, pair(algorithm).getPrivate());
    }

    private static void assertRejected(TokenVerifier verifier, String token, Rejection reason) {
        assertThat(verifier.verify(token, NOW_MS)).isEqualTo(new Verdict.Refused(reason));
    }

    private static TokenVerifier verifier(String... settings) {
        Map<String, String> variables = new HashMap<>(Map.of("JWT_ENABLED", "true"));
        for (int i = 0; i < settings.length; i += 2) {
            variables.put(settings[i], settings[i + 1]);
        }
        var config = ConfigReader.read(variables).access().auth();
        return new TokenVerifier(config,
                config.keys().publicKey() == null ? null : PublicKeys.fixed(config.keys().publicKey()),
                () -> Revocations.NONE);
    }
}
