package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIRequestContext;
import com.microsoft.playwright.options.RequestOptions;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** With authentication, the dashboard requests a token, stores it in its tab, and offers only permitted actions. */
@Needs(Program.CHROMIUM)
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
    void aTokenIsRequestedAndAnInvalidOneRejected() {
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            tab.page.getByText("This server requires a token").waitFor();
            tab.page.getByLabel("Token").fill("nonsense");
            tab.button("Continue").click();
            tab.page.locator("ui-token .notice").waitFor();
            signIn(tab, "admin");
            tab.button("New queue").waitFor();
            tab.page.waitForURL(url -> url.endsWith("/queues"));
            tab.expectError("401");
        }
    }

    @Test
    void theTokenStaysInTheTab() {
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            signIn(tab, "admin");
            tab.button("New queue").waitFor();
            tab.page.reload();
            tab.button("New queue").waitFor();
            assertThat(tab.page.evaluate("JSON.stringify(localStorage) + document.cookie").toString())
                    .doesNotContain("eyJ");
            assertThat(tab.page.evaluate("Object.keys(sessionStorage).length")).isEqualTo(1);
            tab.page.getByLabel("Remove the token").click();
            tab.page.getByText("This server requires a token").waitFor();
            tab.page.waitForCondition(() -> tab.page.evaluate("Object.keys(sessionStorage).length").equals(0));
            tab.expectError("401");
        }
    }

    @Test
    void anApiKeyIsAcceptedAsATokenAndItsRightsSelectTheActions() {
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            APIRequestContext http = tab.page.request();
            ask(http, "configure", "{\"queue\":\"mine\"}");
            ask(http, "configure", "{\"queue\":\"theirs\"}");
            var created = http.post(board.url() + "/api/v1/keys",
                    admin().setData("{\"name\":\"board\",\"rights\":[\"read,manage:mine\"]}"));
            tab.page.getByText("or an API key", new com.microsoft.playwright.Page.GetByTextOptions()).first().waitFor();
            tab.page.getByLabel("Token").fill(value(created.text(), "key"));
            tab.button("Continue").click();
            tab.page.locator(".session").getByText("key:board · none").waitFor();
            tab.settled();
            tab.page.locator("main")
                    .getByText("mine", new com.microsoft.playwright.Locator.GetByTextOptions().setExact(true)).first()
                    .waitFor();
            assertThat(tab.page.locator("main").innerText()).doesNotContain("theirs");
            tab.open("/queues/mine");
            tab.button("Pause").waitFor();
            http.delete(board.url() + "/api/v1/keys/board", admin());
            tab.page.reload();
            tab.page.getByText("This server requires a token").waitFor();
            tab.expectError("401");
            tab.expectError("403");
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
            String partition = fill(tab, "admin");
            String[] paths = {"/queues/read", "/queues/read?tab=settings", "/queues/read?tab=groups", "/queues",
                "/partitions/" + partition, "/messages/" + partition + "/poor", "/messages/" + partition + "/next",
                "/groups", "/groups/g", "/dead-letters?queue=read", "/system"};
            for (String path : paths) {
                tab.open(path);
                tab.page.locator("[data-action]").first().waitFor();
            }
            tab.page.getByLabel("Remove the token").click();
            signIn(tab, "read-only");
            for (String path : paths) {
                tab.open(path);
                assertThat(tab.page.locator("[data-action], td input").count()).as(path).isZero();
                assertThat(tab.page.locator("main .notice.bad[role=alert]").count()).as(path).isZero();
            }
            tab.expectError("401");
        }
    }

    @Test
    void settingsOfAdministratorsAreExplainedToOthers() {
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            signIn(tab, "admin");
            ask(tab.page.request(), "configure", "{\"queue\":\"kept\",\"options\":{\"retentionSeconds\":60}}");
            tab.open("/queues/kept?tab=settings");
            tab.page.locator("queue-settings [name=retentionSeconds]").waitFor();
            assertThat(tab.page.locator("[data-note=removing-options]").count()).isZero();
            tab.page.getByLabel("Remove the token").click();
            signIn(tab, "read-write");
            fill(tab, "read-write");

            tab.open("/queues/kept?tab=settings");
            tab.page.locator("[data-note=removing-options]").getByText("Only administrators may shorten retention")
                    .waitFor();
            tab.page.locator("queue-settings [name=retentionSeconds]").fill("1");
            tab.button("Save").click();
            tab.page.locator("queue-settings [role=alert]").getByText("\"retentionSeconds\" from 60 to 1").waitFor();
            tab.open("/dead-letters");
            tab.page.waitForCondition(tab.button("Redrive all")::isDisabled);
            tab.open("/dead-letters?queue=read");
            tab.page.waitForCondition(tab.button("Redrive all")::isEnabled);
            tab.expectError("401");
            tab.expectError("403");
        }
    }

    /** Creates a dead letter and an unread message, so that actions are possible. Returns their partition. */
    private static String fill(Tab tab, String role) {
        tab.page.getByLabel("Remove the token").click();
        signIn(tab, role);
        APIRequestContext http = tab.page.request();
        ask(http, "configure", "{\"queue\":\"read\",\"options\":{\"retryLimit\":0}}");
        ask(http, "push", """
                {"items":[{"queue":"read","partition":"a","transactionId":"poor","payload":1},
                          {"queue":"read","partition":"a","transactionId":"next","payload":2}]}""");
        String popped = http.get(board.url() + "/api/v1/pop/queue/read/partition/a?batch=1&consumerGroup=g", admin())
                .text();
        String partition = value(popped, "partitionId");
        ask(http, "ack",
                "{\"transactionId\":\"poor\",\"partitionId\":\"" + partition + "\",\"leaseId\":\""
                        + value(popped, "leaseId")
                        + "\",\"consumerGroup\":\"g\",\"status\":\"failed\",\"error\":\"it broke\"}");
        ask(http, "stats/refresh", "{}");
        return partition;
    }

    private static void ask(APIRequestContext http, String what, String body) {
        var answer = http.post(board.url() + "/api/v1/" + what, admin().setData(body));
        assertThat(answer.ok()).as(answer.text()).isTrue();
    }

    private static String value(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]+)\"").matcher(json);
        assertThat(found.find()).as(json).isTrue();
        return found.group(1);
    }

    private static RequestOptions admin() {
        return RequestOptions.create()
                .setHeader("Authorization",
                        "Bearer " + token("{\"sub\":\"ada\",\"role\":\"admin\",\"exp\":4102444800}"))
                .setHeader("Content-Type", "application/json");
    }

    private static void signIn(Tab tab, String role) {
        tab.page.getByLabel("Token").fill(token("{\"sub\":\"ada\",\"role\":\"" + role + "\",\"exp\":4102444800}"));
        tab.button("Continue").click();
        tab.page.locator(".session").getByText("ada · " + role).waitFor();
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
