package io.queenmq.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.config.ServerConfig;
import io.queenmq.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Validation and fetching of the discovery document. */
class OidcProviderTest {
    private static final String DOCUMENT = """
            {"issuer":"https://a.example","authorization_endpoint":"https://a.example/auth",
             "token_endpoint":"https://tokens.example:8443/token","jwks_uri":"https://a.example/keys"}""";

    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger requests = new AtomicInteger();
    private HttpServer server;
    private volatile Answer answer;
    private OidcProvider provider;

    private interface Answer {
        void to(HttpExchange exchange) throws IOException, InterruptedException;
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/.well-known/openid-configuration", exchange -> {
            requests.incrementAndGet();
            try {
                answer.to(exchange);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        });
        server.createContext("/keys", exchange -> send(exchange, 200,
                "{\"keys\":[" + TestTokens.jwk("one", TestTokens.RSA.getPublic()) + "]}"));
        server.start();
    }

    @AfterEach
    void stop() {
        end.countDown();
        if (provider != null) {
            provider.close();
        }
        server.stop(0);
    }

    @Test
    void addressesAreThoseOfTheDocument() throws IOException {
        OidcMetadata metadata = OidcMetadata.parse(bytes(DOCUMENT), "https://a.example");

        assertThat(metadata.authorizationEndpoint()).hasToString("https://a.example/auth");
        assertThat(metadata.jwksUri()).hasToString("https://a.example/keys");
        assertThat(metadata.tokenOrigin()).isEqualTo("https://tokens.example:8443");
        assertThat(metadata.endSessionEndpoint()).isNull();
        assertThat(metadata.isIssuerInResponse()).isFalse();
    }

    @Test
    void theDocumentOfAnotherIssuerIsRejected() {
        assertThatThrownBy(() -> OidcMetadata.parse(bytes(DOCUMENT), "https://a.example/"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("\"https://a.example\", but the configured one is \"https://a.example/\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            https://tokens.example:8443/token | http://tokens.example/token
            https://tokens.example:8443/token | https://tokens.example; script-src *
            https://tokens.example:8443/token | https://user@tokens.example/token
            https://tokens.example:8443/token | ''
            https://a.example/keys            | file:///etc/passwd
            https://a.example/auth            | javascript:alert(1)
            """)
    void anAddressThatIsNotProtectedIsRejected(String good, String bad) {
        assertThatThrownBy(() -> OidcMetadata.parse(bytes(DOCUMENT.replace(good, bad)), "https://a.example"))
                .isInstanceOf(IOException.class).hasMessageContaining("of the discovery document");
    }

    @Test
    void aMalformedDocumentIsRejected() {
        for (String text : List.of("", "[]", "7", "{", "null")) {
            assertThatThrownBy(() -> OidcMetadata.parse(bytes(text), "https://a.example"))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void aResponseThatStallsAfterItsHeadersTimesOutAndIsFetchedAgain() {
        answer = exchange -> {
            if (requests.get() == 1) {
                exchange.sendResponseHeaders(200, 10_000);
                exchange.getResponseBody().write('{');
                exchange.getResponseBody().flush();
                end.await();
            } else {
                send(exchange, 200, document());
            }
        };
        provider = OidcProvider.start(config().http().oidc());

        awaitMetadata();
        assertThat(requests.get()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void aResponseThatIsTooLargeOrAnErrorIsFetchedAgain() {
        answer = exchange -> {
            switch (requests.get()) {
                case 1 -> send(exchange, 200, " ".repeat(2 * 1024 * 1024) + document());
                case 2 -> send(exchange, 500, document());
                default -> send(exchange, 200, document());
            }
        };
        provider = OidcProvider.start(config().http().oidc());

        awaitMetadata();
        assertThat(requests.get()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void tokensAreVerifiedWithTheKeysThatTheDocumentNames() {
        answer = exchange -> send(exchange, 200, document());
        try (Authenticator authenticator = Authenticator.open(config().access().auth(), new TestAuthStore(),
                new SimpleMeterRegistry())) {
            long nowMs = System.currentTimeMillis();
            String claims = "{\"sub\":\"ada\",\"aud\":\"dashboard\",\"exp\":%d,\"iss\":\"%s\"}";
            long later = nowMs / 1000 + 600;

            assertThat(authenticator.verify(
                    TestTokens.rs256(claims.formatted(later, issuer()), "one", TestTokens.RSA.getPrivate()), nowMs))
                    .isInstanceOf(Verdict.Accepted.class);
            assertThat(authenticator.verify(
                    TestTokens.rs256(claims.formatted(later, "https://a.example"), "one", TestTokens.RSA.getPrivate()),
                    nowMs)).isInstanceOf(Verdict.Refused.class);
            assertThat(authenticator.verify(
                    TestTokens.rs256(claims.formatted(later, issuer()), "one", TestTokens.OTHER_RSA.getPrivate()),
                    nowMs)).isInstanceOf(Verdict.Refused.class);
        }
    }

    @Test
    void keysOfTheDocumentOfAnotherIssuerAreNotUsed() {
        answer = exchange -> send(exchange, 200, document().replace("\"issuer\":\"", "\"issuer\":\"x"));
        try (Authenticator authenticator = Authenticator.open(config().access().auth(), new TestAuthStore(),
                new SimpleMeterRegistry())) {
            long nowMs = System.currentTimeMillis();

            assertThat(
                    authenticator.verify(
                            TestTokens.rs256("{\"sub\":\"ada\",\"aud\":\"dashboard\",\"exp\":%d,\"iss\":\"%s\"}"
                                    .formatted(nowMs / 1000 + 600, issuer()), "one", TestTokens.RSA.getPrivate()),
                            nowMs))
                    .isEqualTo(new Verdict.Refused(Rejection.UNAVAILABLE));
        }
    }

    private void awaitMetadata() {
        Await.until(() -> provider.metadata() != null);
        assertThat(provider.metadata().tokenOrigin()).isEqualTo(issuer());
    }

    private ServerConfig config() {
        return ConfigReader
                .read(Map.of("OIDC_ISSUER", issuer(), "OIDC_CLIENT_ID", "dashboard", "JWT_JWKS_TIMEOUT_MS", "1000"));
    }

    private String document() {
        return """
                {"issuer":"%1$s","authorization_endpoint":"%1$s/auth","token_endpoint":"%1$s/token","jwks_uri":"%1$s/keys"}"""
                .formatted(issuer());
    }

    private String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        exchange.sendResponseHeaders(status, bytes(text).length);
        exchange.getResponseBody().write(bytes(text));
        exchange.close();
    }
}
