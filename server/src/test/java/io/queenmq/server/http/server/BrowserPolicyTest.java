package io.queenmq.server.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.PushCommand;
import io.queenmq.server.http.TestApi;
import java.net.Socket;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that web pages make browsers send. */
class BrowserPolicyTest {
    private static final String PUSH = "POST /api/v1/push";
    private static final String BODY = "{\"items\":[{\"queue\":\"q\",\"payload\":1}]}";

    @ParameterizedTest
    @ValueSource(strings = {"localhost:6632", "127.0.0.1", "10.1.2.3:6632", "[::1]:6632", "queen", "queen:6632",
        "queen.default.svc", "queen.default.svc.cluster.local", "QUEEN.LOCAL.", "db.corp.internal"})
    void hostsThatPublicDnsCannotServeAreKnown(String host) throws Exception {
        assertThat(send(Map.of(), PUSH, "Host: " + host)).startsWith("HTTP/1.1 201");
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "evil.example:6632", "127.0.0.1.evil.example", "1.2.3.4.5", "a.b.c.d",
        "local.evil.example", "evil.example.", "127.0.0.1.nip.io"})
    void aNameOfPublicDnsIsRejected(String host) throws Exception {
        assertThat(send(Map.of(), PUSH, "Host: " + host)).startsWith("HTTP/1.1 403");
        assertThat(send(Map.of(), "GET /api/v1/pop/queue/q", "Host: " + host)).startsWith("HTTP/1.1 403");
        assertThat(send(Map.of(), "GET /health", "Host: " + host)).startsWith("HTTP/1.1 403");
    }

    @Test
    void allowedHostsCanBeConfigured() throws Exception {
        Map<String, String> settings = Map.of("ALLOWED_HOSTS", "queen.example.com, other.example.com");
        assertThat(send(settings, PUSH, "Host: Queen.Example.com:80")).startsWith("HTTP/1.1 201");
        assertThat(send(settings, PUSH, "Host: evil.example.com")).startsWith("HTTP/1.1 403");
        assertThat(send(Map.of("ALLOWED_HOSTS", "*"), PUSH, "Host: evil.example.com")).startsWith("HTTP/1.1 201");
    }

    @Test
    void withTokensHostsAreCheckedIfConfigured() throws Exception {
        Map<String, String> tokens = Map.of("JWT_ENABLED", "true", "JWT_SECRET", "0123456789abcdef0123456789abcdef");
        assertThat(send(tokens, "GET /health", "Host: queen.example.com")).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @CsvSource({"POST /api/v1/push", "GET /api/v1/pop/queue/q", "DELETE /api/v1/resources/queues/q",
        "POST /api/v1/system/maintenance", "GET /api/v1/messages", "POST /streams/v1/cycle"})
    void aPageOfAnotherOriginIsRejected(String request) throws Exception {
        for (String origin : new String[]{"https://evil.example", "null", "http://localhost:8080",
            "http://localhost.evil.example:6632", "file://"}) {
            assertThat(send(Map.of(), request, "Host: localhost:6632\r\nOrigin: " + origin)).as(origin)
                    .startsWith("HTTP/1.1 403").doesNotContainIgnoringCase("access-control-allow-origin");
        }
    }

    @Test
    void anImageOfAnotherSiteCannotPop() throws Exception {
        for (String site : new String[]{"cross-site", "same-site"}) {
            assertThat(send(Map.of(), "GET /api/v1/pop/queue/q?autoAck=true",
                    "Host: localhost:6632\r\nSec-Fetch-Site: " + site)).startsWith("HTTP/1.1 403");
            assertThat(send(Map.of(), "GET /", "Host: localhost:6632\r\nSec-Fetch-Site: " + site)).as("a link")
                    .startsWith("HTTP/1.1 200");
        }
        for (String site : new String[]{"same-origin", "none"}) {
            assertThat(send(Map.of(), "GET /api/v1/pop/queue/q", "Host: localhost:6632\r\nSec-Fetch-Site: " + site))
                    .startsWith("HTTP/1.1 204");
        }
    }

    @ParameterizedTest
    @CsvSource({"localhost:6632,http://localhost:6632", "queen,https://queen", "queen:443,https://queen",
        "queen,http://queen:80", "[::1]:6632,http://[::1]:6632"})
    void theOwnDashboardIsAllowed(String host, String origin) throws Exception {
        assertThat(send(Map.of(), PUSH, "Host: " + host + "\r\nOrigin: " + origin)).startsWith("HTTP/1.1 201");
    }

    @Test
    void allowedOriginsCanBeConfigured() throws Exception {
        Map<String, String> settings = Map.of("CORS_ORIGINS", "https://app.example,http://other.example:8080");
        String allowed = "Host: localhost\r\nOrigin: https://app.example";
        assertThat(send(settings, PUSH, allowed)).startsWith("HTTP/1.1 201")
                .containsIgnoringCase("access-control-allow-origin: https://app.example\r\n")
                .containsIgnoringCase("vary: origin");
        assertThat(send(settings, "OPTIONS /api/v1/push", allowed)).startsWith("HTTP/1.1 204")
                .containsIgnoringCase("access-control-allow-methods: GET, POST, PUT, DELETE, OPTIONS\r\n")
                .containsIgnoringCase("access-control-allow-headers: Content-Type, Authorization\r\n")
                .containsIgnoringCase("access-control-max-age: 86400\r\n");
        assertThat(send(settings, PUSH, "Host: localhost\r\nOrigin: http://app.example")).startsWith("HTTP/1.1 403");
        assertThat(send(Map.of("CORS_ORIGINS", "*"), PUSH, "Host: localhost\r\nOrigin: https://any.example"))
                .startsWith("HTTP/1.1 201").containsIgnoringCase("access-control-allow-origin: *\r\n");
    }

    /** Sends one request on a connection of its own and returns the head of the response. */
    private static String send(Map<String, String> settings, String request, String headers) throws Exception {
        try (TestApi api = TestApi.with(settings); Socket socket = api.socket()) {
            String body = request.equals(PUSH) ? BODY : "{}";
            TestApi.write(socket,
                    request + " HTTP/1.1\r\n" + headers + "\r\nContent-Length: "
                            + (request.startsWith("GET") ? 0 : body.length()) + "\r\n\r\n"
                            + (request.startsWith("GET") ? "" : body));
            String head = TestApi.readHead(socket);
            if (head.startsWith("HTTP/1.1 403")) {
                assertThat(api.engine.commands()).as("nothing was executed").isEmpty();
            } else if (request.equals(PUSH)) {
                assertThat(api.engine.next(PushCommand.class).items()).hasSize(1);
            }
            return head;
        }
    }
}
