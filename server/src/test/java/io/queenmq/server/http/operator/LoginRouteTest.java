package io.queenmq.server.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.auth.TestTokens;
import io.queenmq.server.http.TestApi;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The login methods are public, contain no secret, and allow no other origin until the discovery document was fetched. */
class LoginRouteTest {
    private TestApi api;

    @AfterEach
    void close() throws Exception {
        api.close();
    }

    @Test
    void withoutTokensThereIsNoLogin() throws Exception {
        api = new TestApi();

        assertThat(api.get("/api/v1/login").body()).isEqualTo("{\"isTokenNeeded\":false,\"methods\":[],\"oidc\":null}");
    }

    @Test
    void withTokensTheMethodIsBearer() throws Exception {
        api = TestApi.with(Map.of("JWT_ENABLED", "true", "JWT_SECRET", TestTokens.SECRET));
        var answer = api.get("/api/v1/login");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"isTokenNeeded\":true,\"methods\":[\"bearer\"],\"oidc\":null}");
        assertThat(api.get("/").headers().firstValue("content-security-policy").orElseThrow())
                .contains("; connect-src 'self';");
    }

    @Test
    void theProviderIsReturnedWhileItIsUnavailable() throws Exception {
        api = TestApi.with(Map.of("OIDC_ISSUER", "http://127.0.0.1:1/realm", "OIDC_CLIENT_ID", "dashboard",
                "JWT_SECRET", TestTokens.SECRET));

        assertThat(api.get("/api/v1/login").body()).isEqualTo("""
                {"isTokenNeeded":true,"methods":["bearer","oidc"],"oidc":{"issuer":"http://127.0.0.1:1/realm",\
                "clientId":"dashboard","scopes":"openid","audience":null,"isAvailable":false,"authorizationEndpoint":null,\
                "tokenEndpoint":null,"endSessionEndpoint":null,"isIssuerInResponse":false}}""");
        assertThat(api.get("/login").headers().firstValue("content-security-policy").orElseThrow())
                .contains("; connect-src 'self';");
    }
}
