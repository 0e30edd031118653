package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** With tokens the dashboard asks for one, keeps it in its tab, and offers only what it allows. */
class TokenTest {
    private static final String SECRET = "a secret of the browser tests, long enough";
    private static Board board;

    @BeforeAll
    static void start() {
        board = Board.with(Map.of("JWT_ENABLED", "true", "JWT_SECRET", SECRET));
    }

    @AfterAll
    static void stop() {
        board.close();
    }

    @Test
    void aTokenIsAskedForAndABadOneIsNotTaken() {
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            tab.page.getByText("This server wants a token").waitFor();
            tab.page.getByLabel("Token").fill("nonsense");
            tab.button("Continue").click();
            tab.page.locator("ui-token .notice").waitFor();
            signIn(tab, "admin");
            tab.button("New queue").waitFor();
            assertThat(tab.page.url()).endsWith("/queues");
            tab.forgive("401");
        }
    }

    @Test
    void theTokenStaysInTheTab() {
        try (Tab tab = Tab.of(board.url()).open("/")) {
            signIn(tab, "admin");
            tab.page.getByText("All is well").waitFor();
            tab.page.reload();
            tab.page.getByText("All is well").waitFor();
            assertThat(tab.page.evaluate("JSON.stringify(localStorage) + document.cookie").toString())
                    .doesNotContain("eyJ");
            assertThat(tab.page.evaluate("Object.keys(sessionStorage).length")).isEqualTo(1);
            tab.page.getByLabel("Forget the token").click();
            tab.page.getByText("This server wants a token").waitFor();
            assertThat(tab.page.evaluate("Object.keys(sessionStorage).length")).isEqualTo(0);
            tab.forgive("401");
        }
    }

    @Test
    void readersSeeNoButtonTheyCannotUse() {
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            signIn(tab, "read-write");
            tab.button("New queue").click();
            tab.page.getByLabel("Name", new com.microsoft.playwright.Page.GetByLabelOptions().setExact(true))
                    .fill("read");
            tab.askButton("Create").click();
            tab.page.waitForURL("**/queues/read");
            tab.button("Pause").waitFor();
            assertThat(tab.page.locator("[data-action=deleteQueue], [data-action=clearQueue]").count())
                    .as("for administrators only").isZero();
            tab.page.getByLabel("Forget the token").click();
            signIn(tab, "read-only");
            for (String path : new String[]{"/queues/read", "/queues/read?tab=settings", "/queues/read?tab=groups",
                "/queues", "/groups", "/dead-letters", "/system"}) {
                tab.page.navigate(board.url() + path);
                tab.settled();
                assertThat(tab.page.locator("[data-action]").count()).as(path).isZero();
            }
            tab.forgive("401");
        }
    }

    private static void signIn(Tab tab, String role) {
        tab.page.getByLabel("Token").fill(token("{\"sub\":\"ada\",\"role\":\"" + role + "\"}"));
        tab.button("Continue").click();
        tab.page.locator(".who").getByText("ada · " + role).waitFor();
        tab.settled();
    }

    private static String token(String claims) {
        String signed = part("{\"alg\":\"HS256\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + part(claims.getBytes(StandardCharsets.UTF_8));
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return signed + "." + part(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String part(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
