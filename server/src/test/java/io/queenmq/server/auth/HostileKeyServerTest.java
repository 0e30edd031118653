package io.queenmq.server.auth;

import static io.queenmq.server.auth.HostileKeyServer.full;
import static io.queenmq.server.auth.HostileKeyServer.write;
import static io.queenmq.server.auth.TestTokens.RSA;
import static io.queenmq.server.auth.TestTokens.jwk;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queenmq.server.auth.HostileKeyServer.Behavior;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.testkit.Await;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** For any behavior of the server of the published keys, tokens are answered, and keys are fetched as soon as it recovers. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
@Execution(ExecutionMode.CONCURRENT)
class HostileKeyServerTest {
    private static final long NOW_MS = System.currentTimeMillis();
    private static final String TOKEN = TestTokens.rs256(TestTokens.expiring("{}"), "one", RSA.getPrivate());
    private static final String UNKNOWN = TestTokens.rs256(TestTokens.expiring("{}"), "two", RSA.getPrivate());
    private static final String GOOD = "{\"keys\":[" + jwk("one", RSA.getPublic()) + "]}";
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

    private HostileKeyServer server;
    private Authenticator authenticator;

    @AfterEach
    void close() {
        authenticator.close();
        server.close();
    }

    static Stream<Arguments> behaviors() {
        return Stream.of(behavior("silent", _ -> {}),
                behavior("stalls after the headers", out -> write(out, HEAD + "Content-Length: 1000\r\n\r\n")),
                behavior("stalls in the body", out -> write(out, HEAD + "Content-Length: 1000\r\n\r\n{\"keys\":[")),
                behavior("sends one byte after the other", out -> {
                    write(out, HEAD + "Content-Length: 1000000\r\n\r\n");
                    while (true) {
                        write(out, " ");
                        Thread.sleep(10);
                    }
                }), behavior("sends one header after the other", out -> {
                    write(out, HEAD);
                    while (true) {
                        write(out, "X: y\r\n");
                        Thread.sleep(10);
                    }
                }),
                behavior("sends a huge document", out -> write(out,
                        HEAD + "Content-Length: 3000000\r\n\r\n{\"keys\":[\"" + "x".repeat(2_999_987) + "\"]}")),
                behavior("sends chunks without end", out -> {
                    write(out, HEAD + "Transfer-Encoding: chunked\r\n\r\n");
                    while (true) {
                        write(out, "1000\r\n" + " ".repeat(0x1000) + "\r\n");
                    }
                }), behavior("sends garbage instead of HTTP", out -> write(out, "\0\1\2 garbage\r\n\r\n")),
                behavior("sends garbage as a document", full("200 OK", "<html>")),
                behavior("sends no list of keys", full("200 OK", "{\"keys\":{}}")),
                behavior("sends too many keys",
                        full("200 OK", "{\"keys\":[" + "7,".repeat(KeyDocument.KEYS_MAX) + "7]}")),
                behavior("sends deeply nested arrays", full("200 OK", "[".repeat(100_000))),
                behavior("sends 500", full("500 Internal Server Error", GOOD)), behavior("redirects",
                        out -> write(out, "HTTP/1.1 302 Found\r\nLocation: /keys\r\nContent-Length: 0\r\n\r\n")));
    }

    private static Arguments behavior(String name, Behavior behavior) {
        return Arguments.argumentSet(name, behavior);
    }

    @ParameterizedTest
    @MethodSource("behaviors")
    void tokensAreAnsweredAndKeysAreFetchedWhenTheServerRecovers(Behavior behavior) throws Exception {
        open(behavior, 300);
        assertThat(authenticator.verify(TOKEN, NOW_MS)).isEqualTo(new Verdict.Refused(Rejection.UNAVAILABLE));
        assertThat(authenticator.refreshKeys().get(60, TimeUnit.SECONDS)).isFalse();

        server.behavior = full("200 OK", GOOD);

        awaitAccepted();
    }

    @ParameterizedTest
    @MethodSource("behaviors")
    void keysStayInForceAndUnknownOnesAreAnsweredAsUnavailable(Behavior behavior) throws Exception {
        open(full("200 OK", GOOD), 300);
        awaitAccepted();
        server.behavior = behavior;

        assertThat(authenticator.verify(UNKNOWN, NOW_MS)).isInstanceOf(Verdict.UnknownKey.class);
        assertThat(authenticator.refreshKeys().get(60, TimeUnit.SECONDS)).isFalse();

        assertThat(authenticator.verify(TOKEN, NOW_MS)).isInstanceOf(Verdict.Accepted.class);
    }

    @Test
    void aConnectionThatStallsIsClosed() throws Exception {
        open(out -> write(out, HEAD + "Content-Length: 1000\r\n\r\n"), 200);

        server.closedByClient.acquire();
    }

    @Test
    void anyNumberOfUnknownKeysCausesOneFetchAtATime() throws Exception {
        open(full("200 OK", GOOD), 60_000);
        awaitAccepted();
        int before = server.requests();
        server.behavior = _ -> {};

        var waiting = IntStream.range(0, 1_000).mapToObj(_ -> authenticator.refreshKeys()).toList();

        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        Await.until(() -> server.requests() > before);
        assertThat(server.requests()).isEqualTo(before + 1);
    }

    private void awaitAccepted() {
        Await.until(() -> authenticator.verify(TOKEN, NOW_MS) instanceof Verdict.Accepted);
    }

    private void open(Behavior behavior, int timeoutMs) {
        server = new HostileKeyServer(behavior);
        authenticator = Authenticator.open(
                ConfigReader.read(Map.of("JWT_ENABLED", "true", "JWT_ALGORITHM", "RS256", "JWT_JWKS_URL", server.url(),
                        "JWT_JWKS_TIMEOUT_MS", Integer.toString(timeoutMs))).access().auth(),
                new TestAuthStore(), new SimpleMeterRegistry());
    }
}
