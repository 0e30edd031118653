package io.queenmq.server.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.dashboard.Dashboard;
import io.queenmq.server.auth.TestTokens;
import io.queenmq.server.http.TestApi;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Delivery of the dashboard files. Module dashboard-tests tests them in a browser. */
class DashboardRoutesTest {
    private static final String STYLE = "/assets/" + Dashboard.get().release() + "/css/style.css";

    private TestApi api;

    @AfterEach
    void close() throws Exception {
        api.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/queues", "/queues/a%2Fb", "/partitions/1", "/messages/1/2", "/groups/g",
        "/dead-letters?queue=q", "/traces", "/operations", "/postgres", "/system"})
    void everyPageIsTheOneThatIsNeverKept(String path) throws Exception {
        api = new TestApi();
        var answer = api.get(path);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(header(answer, "content-type")).isEqualTo("text/html; charset=utf-8");
        assertThat(header(answer, "cache-control")).isEqualTo("no-store");
        assertThat(header(answer, "content-security-policy"))
                .contains("script-src 'self' " + Dashboard.get().importMapHash() + ";", "style-src 'self';")
                .doesNotContain("unsafe");
        assertThat(header(answer, "x-content-type-options")).isEqualTo("nosniff");
        assertThat(answer.body()).contains("<queen-app>", STYLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nowhere", "/api/v1/nothing", "/api", "/assets/", "/assets/css/style.css",
        "/assets/0000000000000000/css/style.css", "/queuesx", "/index.html"})
    void nothingElseIsAPage(String path) throws Exception {
        api = new TestApi();
        var answer = api.get(path);

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).startsWith("{\"error\":");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/../index.html", "/..%2Findex.html", "/%2e%2e/index.html", "/css/../../../../etc/passwd"})
    void nothingOutsideIsServed(String path) throws Exception {
        api = new TestApi();
        assertThat(api.get("/assets/" + Dashboard.get().release() + path).statusCode()).isEqualTo(404);
    }

    @Test
    void assetsAreCachedWithoutLimit() throws Exception {
        api = new TestApi();
        var answer = api.get(STYLE);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(header(answer, "cache-control")).isEqualTo("public, max-age=31536000, immutable");
        assertThat(header(answer, "content-type")).isEqualTo("text/css; charset=utf-8");
        String tag = header(answer, "etag");
        var again = api.send(api.request(STYLE).header("If-None-Match", tag).GET());
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }

    @Test
    void assetsAreCompressedIfTheBrowserAcceptsIt() throws Exception {
        api = new TestApi();
        var answer = api.send(api.request(STYLE).header("Accept-Encoding", "gzip, br").GET());

        assertThat(header(answer, "content-encoding")).isEqualTo("gzip");
        assertThat(header(answer, "vary")).isEqualTo("Accept-Encoding");
        assertThat(Long.parseLong(header(answer, "content-length"))).isLessThan(api.get(STYLE).body().length() / 2);
    }

    @Test
    void filesNeedNoTokenButTheApiDoes() throws Exception {
        api = TestApi.with(Map.of("JWT_ENABLED", "true", "JWT_SECRET", TestTokens.SECRET));

        assertThat(api.get("/queues").statusCode()).isEqualTo(200);
        assertThat(api.get(STYLE).statusCode()).isEqualTo(200);
        assertThat(api.get("/api/v1/identity").statusCode()).isEqualTo(401);
    }

    @Test
    void identityReturnsTheCaller() throws Exception {
        api = TestApi.with(Map.of("JWT_ENABLED", "true", "JWT_SECRET", TestTokens.SECRET));
        var asked = api.request("/api/v1/identity").header("Authorization",
                TestTokens.valid("{\"sub\":\"ada\",\"role\":\"read-only\"}"));

        assertThat(api.send(asked.GET()).body())
                .isEqualTo("{\"subject\":\"ada\",\"role\":\"read-only\",\"rights\":null,\"isTokenNeeded\":true}");
    }

    @Test
    void withoutTokensEveryCallerIsAdmin() throws Exception {
        api = new TestApi();
        assertThat(api.get("/api/v1/identity").body())
                .isEqualTo("{\"subject\":null,\"role\":\"admin\",\"rights\":null,\"isTokenNeeded\":false}");
    }

    private static String header(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElse(null);
    }
}
