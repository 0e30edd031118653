package io.queenmq.server.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.auth.TestTokens;
import io.queenmq.server.http.TestApi;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Delivery of the documents. DocumentsTest of the Maven module dashboard tests their content. */
class DocumentRoutesTest {
    private TestApi api;

    @AfterEach
    void close() throws Exception {
        api.close();
    }

    @ParameterizedTest
    @CsvSource({"/docs, Promises", "/docs/, Promises", "/docs/guide/runbook, QueenGroupBehind",
        "/docs/reference/configuration, PG_HOST", "/docs?q=least+privilege+role, database-role"})
    void pagesContainNoScriptAndNeedNoToken(String path, String content) throws Exception {
        api = TestApi.with(Map.of("JWT_ENABLED", "true", "JWT_SECRET", TestTokens.SECRET));
        var answer = api.get(path);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(header(answer, "content-type")).isEqualTo("text/html; charset=utf-8");
        assertThat(header(answer, "content-security-policy")).contains("script-src 'self';").doesNotContain("unsafe");
        assertThat(answer.body()).contains(content).doesNotContain("<script", "<!--");
    }

    @Test
    void filesThatDocumentsLinkToAreServed() throws Exception {
        api = new TestApi();

        assertThat(header(api.get("/docs/images/overview.png"), "content-type")).isEqualTo("image/png");
        assertThat(api.get("/docs/monitoring/alerts.yml").body()).contains("QueenDatabaseAway");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/docs/nothing", "/docs/guide/runbook/x", "/docsx", "/docs/..%2Fpom.xml"})
    void nothingElseIsServed(String path) throws Exception {
        api = new TestApi();

        assertThat(api.get(path).statusCode()).isEqualTo(404);
    }

    private static String header(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElse(null);
    }
}
