package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.options.RequestOptions;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The login with an OpenID Connect provider: its checks, the storage of tokens, and its failures. */
@Needs(Program.CHROMIUM)
class OidcLoginTest {
    private static FakeProvider provider;
    private static Board board;

    @BeforeAll
    static void start() {
        provider = new FakeProvider();
        board = Board.with(Map.of("OIDC_ISSUER", provider.url(), "OIDC_CLIENT_ID", FakeProvider.CLIENT, "OIDC_SCOPES",
                "openid offline_access", "JWT_CLOCK_SKEW", "0"));
    }

    @AfterAll
    static void stop() {
        board.close();
        provider.close();
    }

    @BeforeEach
    void reset() {
        provider.reset();
        provider.redirectUri = board.url() + "/login";
    }

    @Test
    void aLoginReturnsToThePageAndLeavesNoTokenInAddresses() {
        try (Tab tab = Tab.of(board.url())) {
            List<String> addresses = new CopyOnWriteArrayList<>();
            tab.page.onRequest(request -> addresses.add(request.url()));
            tab.open("/queues?search=orders");
            signIn(tab);

            tab.page.waitForURL(board.url() + "/queues?search=orders");
            tab.button("New queue").waitFor();
            assertThat(provider.authorizeRequest).containsEntry("scope", "openid offline_access")
                    .containsEntry("redirect_uri", board.url() + "/login")
                    .containsEntry("code_challenge_method", "S256").doesNotContainKeys("audience", "code_verifier");
            assertThat(List.of("state", "nonce", "code_challenge")).allSatisfy(
                    name -> assertThat(provider.authorizeRequest.get(name)).hasSizeGreaterThanOrEqualTo(43));
            assertThat(addresses).anyMatch(url -> url.startsWith(provider.url() + "/token"))
                    .noneMatch(url -> url.contains("eyJ") || url.contains("verifier"));
            assertThat(tab.page.evaluate("Object.keys(sessionStorage).sort().join()"))
                    .isEqualTo("queen.method,queen.token");
            assertThat(tab.page.evaluate("localStorage.length + document.cookie.length")).isEqualTo(0);

            tab.page.reload();
            tab.page.locator(".session").getByText("ada · admin").waitFor();
            assertThat(provider.tokenRequests).as("a reload needs no second login").isEqualTo(1);
            tab.expectError("401");
        }
    }

    @Test
    void anUnrequestedResponseIsRejected() {
        provider.state = "of-another-login";
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            signInButton(tab).click();
            failed(tab, "\"state\" differs");
            assertThat(provider.tokenRequests).isZero();
            // Without the code.
            tab.page.waitForURL(board.url() + "/queues");

            provider.state = null;
            signIn(tab);
            tab.expectError("401");
        }
    }

    @Test
    void aLinkWithAForeignCodeChangesNothing() {
        try (Tab tab = Tab.of(board.url())) {
            tab.open("/login?code=stolen&state=chosen");
            failed(tab, "\"state\" differs");
            signIn(tab);
            provider.tokenRequests = 0;

            tab.open("/login?code=stolen&state=chosen");

            tab.page.locator(".session").getByText("ada · admin").waitFor();
            tab.page.waitForURL(board.url() + "/");
            assertThat(provider.tokenRequests).isZero();
            tab.expectError("401");
        }
    }

    @Test
    void aTokenOfAnotherSignInIsRejected() {
        provider.nonce = "of-another-sign-in";
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            signInButton(tab).click();
            failed(tab, "\"nonce\" differs");
            tab.page.waitForCondition(() -> tab.page.evaluate("sessionStorage.length").equals(0));
            tab.expectError("401");
        }
    }

    @Test
    void aTokenThatHasExpiredIsRejectedWithTheReason() {
        provider.issuedAgoS = 7_200;
        provider.isRenewing = false;
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            signInButton(tab).click();
            failed(tab, "expired");
            tab.page.waitForCondition(() -> tab.page.evaluate("sessionStorage.length").equals(0));
            tab.expectError("401");
            tab.expectError("400");
        }
    }

    @Test
    void aTokenIsRenewedBeforeItExpires() {
        provider.lifetimeS = 4;
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            signIn(tab);
            tab.expectError("401");
            tab.page.waitForCondition(() -> provider.renewals >= 2);
            assertThat(signInButton(tab).count()).isZero();
        }
    }

    @Test
    void aTokenThatTheServerRejectsIsRenewed() {
        // To the browser it is valid for an hour, to the server for a second.
        provider.issuedAgoS = 3_599;
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            signInButton(tab).click();
            tab.page.waitForCondition(() -> provider.renewals >= 1);
            tab.page.locator(".session").getByText("ada · admin").waitFor();
            tab.expectError("401");
        }
    }

    @Test
    void aRejectedRenewalRequiresANewLogin() {
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            provider.issuedAgoS = 3_598;
            provider.isRenewing = false;
            signInButton(tab).click();
            failed(tab, "expired");
            provider.reset();
            signIn(tab);
            tab.expectError("401");
            tab.expectError("400");
        }
    }

    @Test
    void aRejectionOfTheProviderIsShownAsText() {
        provider.error = "access_denied";
        provider.description = "no access for <img src=x onerror=alert(1)> you";
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            signInButton(tab).click();
            failed(tab, "no access for <img src=x onerror=alert(1)> you");
            tab.expectError("401");
        }
    }

    @Test
    void anUnregisteredRedirectAddressEndsAtTheProvider() {
        provider.redirectUri = "https://queen.example/login";
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            signInButton(tab).click();
            tab.page.waitForURL(provider.url() + "/authorize?**");
            tab.page.getByText("the redirect address or another parameter is not accepted").waitFor();
            tab.expectError("40");
        }
    }

    @Test
    void aProviderThatFailsDuringTheSignInIsNamed() {
        provider.isTokenEndpointDown = true;
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            signInButton(tab).click();
            failed(tab, "does not respond");
            provider.isTokenEndpointDown = false;
            signIn(tab);
            tab.expectError("401");
            tab.expectError("ERR_");
        }
    }

    @Test
    void signingOutEndsTheSessionOfTheProviderWithoutATokenInTheAddress() {
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            signIn(tab);
            tab.page.getByLabel("Sign out").click();
            signInButton(tab).waitFor();
            assertThat(provider.logoutRequest)
                    .isEqualTo(Map.of("client_id", FakeProvider.CLIENT, "post_logout_redirect_uri", board.url() + "/"));
            tab.page.waitForCondition(() -> tab.page.evaluate("sessionStorage.length").equals(0));
            tab.expectError("401");
        }
    }

    @Test
    void aTokenCanStillBePasted() {
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            tab.page.getByLabel("Token or API key")
                    .fill(provider.sign(provider.claims("eve", FakeProvider.CLIENT, "")));
            tab.button("Continue").click();
            tab.page.locator(".session").getByText("eve · admin").waitFor();
            tab.page.getByLabel("Remove the token").click();
            signInButton(tab).waitFor();
            assertThat(provider.logoutRequest).isNull();
            tab.expectError("401");
        }
    }

    @Test
    void thePolicyAllowsTheProviderAndNothingElse() {
        try (Tab tab = Tab.of(board.url()); FakeProvider other = new FakeProvider()) {
            String policy = tab.page.navigate(board.url() + "/").headerValue("content-security-policy");
            assertThat(policy).contains("; connect-src 'self' " + provider.url() + ";").doesNotContain("unsafe", "*");
            tab.settled();
            assertThat(
                    tab.page.evaluate("url => fetch(url).then(() => 'sent', () => 'blocked')", other.url() + "/token"))
                    .isEqualTo("blocked");
            tab.expectError("401");
            tab.expectError("Content Security Policy");
            tab.expectError("Fetch API cannot load");
        }
    }

    @Test
    void aProviderThatIsUnavailableAtTheStartIsFoundLater() {
        try (FakeProvider late = new FakeProvider()) {
            late.isDown = true;
            Board waiting = Board.with(Map.of("OIDC_ISSUER", late.url(), "OIDC_CLIENT_ID", FakeProvider.CLIENT,
                    "OIDC_AUDIENCE", "queen-api", "JWT_JWKS_TIMEOUT_MS", "2000"));
            late.redirectUri = waiting.url() + "/login";
            try (Tab tab = Tab.of(waiting.url()).open("/queues")) {
                signInButton(tab).click();
                failed(tab, "does not respond");
                late.isDown = false;
                RequestOptions options = RequestOptions.create().setHeader("Authorization",
                        "Bearer " + late.sign(late.claims("eve", "queen-api", "")));
                tab.page.waitForCondition(
                        () -> waiting.queen().get("/api/v1/login").body().at("/oidc/isAvailable").asBoolean()
                                && tab.page.request().get(waiting.url() + "/api/v1/identity", options).ok());
                List<Request> requests = new CopyOnWriteArrayList<>();
                tab.page.onRequest(requests::add);
                signIn(tab);
                assertThat(late.authorizeRequest).containsEntry("audience", "queen-api");
                assertThat(requests).as("the access token is the bearer token").anySatisfy(
                        request -> assertThat(claimsOf(request)).contains("queen-api", "\"use\":\"access\""));
                tab.expectError("401");
            } finally {
                waiting.close();
            }
        }
    }

    private static String claimsOf(Request request) {
        String header = request.allHeaders().getOrDefault("authorization", "Bearer .e30.");
        return new String(Base64.getUrlDecoder().decode(header.split("\\.")[1]), StandardCharsets.UTF_8);
    }

    private static Locator signInButton(Tab tab) {
        return tab.page.locator("ui-token").getByText("Sign in with 127.0.0.1");
    }

    private static void signIn(Tab tab) {
        signInButton(tab).click();
        tab.page.locator(".session").getByText("ada · admin").waitFor();
        tab.settled();
    }

    private static void failed(Tab tab, String reason) {
        tab.page.locator("ui-token .notice").getByText(reason).waitFor();
    }
}
