package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.WaitForSelectorState;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** General behavior of the dashboard: shareable addresses, no requests of hidden tabs, clear errors. */
@Needs(Program.CHROMIUM)
class DashboardBehaviorTest {
    private final Board board = Board.shared();

    @Test
    void selectionsArePartOfTheAddress() {
        try (Tab tab = Tab.of(board.url()); Tab other = Tab.of(board.url())) {
            tab.open("/queues");
            tab.page.getByLabel("All namespaces").selectOption("media");
            tab.page.getByLabel("Search queues").fill("trans");
            tab.page.waitForURL(url -> url.contains("search=trans"));
            String shared = tab.page.url().substring(board.url().length());
            other.open(shared);
            other.counts(1, other.page.locator("tbody tr"));
            other.shows(other.page.locator("tbody"), "media.transcode");
        }
    }

    @Test
    void aSparklineOpensIntoAChartAndTheRangeIsObeyed() {
        try (Tab tab = Tab.of(board.url()).open("/")) {
            tab.page.locator("button.stat").filter(new Locator.FilterOptions().setHasText("Oldest unread")).click();
            tab.page.getByText("Age of the oldest due unread message").waitFor();
            tab.page.waitForURL(url -> url.endsWith("?chart=lag"));
            var request = tab.page.waitForRequest(asked -> asked.url().contains("/api/v1/status?from="),
                    () -> tab.button("24 h").click());
            assertThat(request.url()).contains("from=");
            tab.page.waitForURL(url -> url.contains("range=24h"));
        }
    }

    @Test
    void aCustomRangeIsShownAndPartOfTheAddress() {
        try (Tab tab = Tab.of(board.url()).open("/")) {
            tab.button("Custom").click();
            tab.page.getByLabel("From").fill("2026-01-02T03:04");
            tab.page.getByLabel("To", new Page.GetByLabelOptions().setExact(true)).fill("2026-01-01T00:00");
            tab.button("Show").click();
            tab.page.waitForCondition(() -> tab.page.getByLabel("To", new Page.GetByLabelOptions().setExact(true))
                    .evaluate("input => input.validationMessage").equals("The end is before the beginning."));
            tab.page.getByLabel("To", new Page.GetByLabelOptions().setExact(true)).fill("2026-01-03T00:00");
            tab.page.waitForRequest(asked -> asked.url().contains("/api/v1/status?from=2026-01-02T03%3A04")
                    && asked.url().contains("to=2026-01-03T00%3A00"), () -> tab.button("Show").click());
            tab.page.reload();
            tab.settled();
            tab.page.waitForCondition(() -> tab.page.getByLabel("From").inputValue().equals("2026-01-02T03:04"));
            tab.page.waitForCondition(() -> "true".equals(tab.button("Custom").getAttribute("aria-pressed")));
        }
    }

    @Test
    void aFailedActionIsReported() {
        Queues queue = Queues.create(board);
        try (Tab tab = Tab.of(board.url()).open("/queues/" + queue.name())) {
            tab.page.route("**/pause", route -> route.fulfill(
                    new Route.FulfillOptions().setStatus(503).setBody("{\"error\":\"the database is away\"}")));
            tab.button("Pause").click();
            tab.showsNote("the database is away");
            tab.expectError("503");
        }
        assertThat(queue.shown().get("paused").asBoolean()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/queues", "/groups", "/operations", "/system"})
    void anUnavailableDatabaseIsReportedOnEveryPage(String path) {
        try (Tab tab = Tab.of(board.url())) {
            tab.page.route("**/health", route -> {
                ObjectNode health = (ObjectNode) board.queen().get("/health").body();
                health.put("status", "unhealthy").put("database", "disconnected");
                health.put("summary", "PostgreSQL is unavailable: pushes are spooled");
                ((ObjectNode) health.get("spool")).put("state", "ready").put("pending", 12).put("oldestSeconds", 34);
                route.fulfill(new Route.FulfillOptions().setStatus(503).setBody(health.toString()));
            });
            tab.page.route("**/api/v1/**", route -> {
                if (route.request().url().contains("/login") || route.request().url().contains("/identity")) {
                    route.resume();
                } else {
                    route.fulfill(new Route.FulfillOptions().setStatus(503)
                            .setBody("{\"error\":\"PostgreSQL is unavailable\"}"));
                }
            });
            tab.page.navigate(board.url() + path);

            tab.shows(tab.page.locator("ui-spool"), "PostgreSQL is unavailable", "Pushes are spooled.",
                    "12 messages in the spool of this server");
            tab.shows(tab.page.locator("ui-health"), "PostgreSQL unavailable");
            tab.shows(tab.page.locator("main"), path.equals("/system") ? "This server" : "This page needs PostgreSQL.");
            assertThat(tab.page.locator("body").innerText()).doesNotContain("unreachable");
            tab.expectError("503");
        }
    }

    @Test
    void anUnreachableServerIsReportedAndPolledAgain() {
        try (Tab tab = Tab.of(board.url())) {
            tab.page.clock().install();
            tab.open("/queues");
            tab.page.route("**/api/**", Route::abort);
            tab.page.clock().runFor(6_000);
            tab.page.getByText("The shown data is not up to date.").waitFor();
            tab.shows(tab.page.locator("tbody"), "shop.orders");
            tab.page.unroute("**/api/**");
            tab.page.clock().runFor(6_000);
            tab.page.getByText("The shown data is not up to date.")
                    .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.DETACHED));
            tab.expectError("ERR_FAILED");
        }
    }

    @Test
    void aHiddenTabSendsNoRequests() {
        try (Tab tab = Tab.of(board.url())) {
            tab.page.clock().install();
            tab.open("/queues");
            tab.page.waitForRequest(DashboardBehaviorTest::isForQueues, () -> tab.page.clock().runFor(6_000));
            tab.page.evaluate("""
                    () => {
                      window.isHiddenNow = true;
                      Object.defineProperty(document, 'hidden', { get: () => window.isHiddenNow, configurable: true });
                      document.dispatchEvent(new Event('visibilitychange'));
                    }""");
            AtomicInteger requests = new AtomicInteger();
            tab.page.onRequest(_ -> requests.incrementAndGet());
            tab.page.clock().runFor(120_000);
            assertThat(requests).hasValue(0);
            tab.page.waitForRequest(DashboardBehaviorTest::isForQueues, () -> tab.page.evaluate(
                    "() => { window.isHiddenNow = false; document.dispatchEvent(new Event('visibilitychange')); }"));
        }
    }

    @Test
    void timesAreRelativeWithTheExactOneOnHover() {
        try (Tab tab = Tab.of(board.url()).open("/messages")) {
            Locator time = tab.page.locator("td time").first();
            assertThat(time.innerText()).matches("now|\\d+(\\.\\d)? (s|min|h) ago");
            assertThat(time.getAttribute("title")).matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} UTC");
        }
    }

    @Test
    void theThemeIsKept() {
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            tab.page.getByLabel("Theme: dark").click();
            tab.page.reload();
            tab.settled();
            tab.page.waitForCondition(() -> tab.page.evaluate("getComputedStyle(document.body).backgroundColor")
                    .equals("rgb(18, 19, 22)"));
        }
    }

    @Test
    void aMissingObjectIsReported() {
        try (Tab tab = Tab.of(board.url()).open("/queues/nowhere")) {
            tab.page.getByText("Not found.").waitFor();
            tab.expectError("404");
        }
    }

    @Test
    void thePhoneHasAMenu() {
        try (Tab tab = Tab.of(board.url(), options -> options.setViewportSize(390, 844)).open("/queues")) {
            assertThat(tab.page.locator("nav.menu").isVisible()).isFalse();
            tab.button("Menu").click();
            tab.page.locator("nav.menu").waitFor();
            tab.page.keyboard().press("Escape");
            tab.page.waitForCondition(() -> !tab.page.locator("nav.menu").isVisible());
            tab.button("Menu").click();
            tab.page.locator("nav.menu").getByText("Dead letters").click();
            tab.page.waitForURL("**/dead-letters");
            tab.settled();
            tab.page.waitForCondition(() -> !tab.page.locator("nav.menu").isVisible());
        }
    }

    private static boolean isForQueues(Request asked) {
        return asked.url().contains("/resources/queues");
    }
}
