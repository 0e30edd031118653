package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.WaitForSelectorState;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How the dashboard behaves: shareable, quiet when nobody looks, usable without a mouse. */
class MannersTest {
    private final Board board = Board.shared();

    @Test
    void whatIsChosenStandsInTheAddress() {
        try (Tab tab = Tab.of(board.url()); Tab other = Tab.of(board.url())) {
            tab.open("/queues");
            tab.page.getByLabel("All namespaces").selectOption("media");
            tab.page.getByLabel("Search queues").fill("trans");
            tab.page.waitForURL(url -> url.contains("search=trans"));
            String shared = tab.page.url().substring(board.url().length());
            other.open(shared);
            assertThat(other.page.locator("tbody tr").count()).isEqualTo(1);
            assertThat(other.page.locator("tbody").innerText()).contains("media.transcode");
        }
    }

    @Test
    void aSparklineOpensIntoAChartAndTheRangeIsObeyed() {
        try (Tab tab = Tab.of(board.url()).open("/")) {
            tab.page.locator("button.stat").filter(new Locator.FilterOptions().setHasText("Lag")).click();
            tab.page.getByText("Time from push to delivery").waitFor();
            assertThat(tab.page.url()).endsWith("?chart=lag");
            var request = tab.page.waitForRequest(asked -> asked.url().contains("/api/v1/status?from="),
                    () -> tab.button("24 h").click());
            assertThat(request.url()).contains("from=");
            assertThat(tab.page.url()).contains("range=24h");
        }
    }

    @Test
    void aHiddenTabAsksForNothing() {
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            AtomicInteger requests = new AtomicInteger();
            tab.page.onRequest(_ -> requests.incrementAndGet());
            tab.page.evaluate("""
                    () => {
                      window.isHiddenNow = true;
                      Object.defineProperty(document, 'hidden', { get: () => window.isHiddenNow, configurable: true });
                      document.dispatchEvent(new Event('visibilitychange'));
                    }""");
            tab.page.waitForTimeout(300);
            requests.set(0);
            tab.page.waitForTimeout(6_500);
            assertThat(requests).hasValue(0);
            tab.page.waitForRequest(asked -> asked.url().contains("/resources/queues"),
                    () -> tab.page.evaluate(
                            "() => { window.isHiddenNow = false; document.dispatchEvent(new Event('visibilitychange')); }"));
        }
    }

    @Test
    void somebodyWhoTypesJumpsAnywhere() {
        try (Tab tab = Tab.of(board.url()).open("/")) {
            tab.page.keyboard().press("Control+k");
            tab.page.keyboard().type("shop.inv");
            tab.page.locator(".palette li[aria-selected=true]", new Page.LocatorOptions().setHasText("shop.invoices"))
                    .waitFor();
            tab.page.keyboard().press("Enter");
            tab.page.waitForURL("**/queues/shop.invoices");
            tab.page.locator("dialog.palette")
                    .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.HIDDEN));
            // A new one, because messages are found among the newest only.
            Queues queue = Queues.create(board);
            queue.queen().push(queue.name(), "a", List.of("sought"));
            tab.page.keyboard().press("/");
            tab.page.locator("dialog.palette").waitFor();
            tab.page.keyboard().type("sought");
            tab.page.locator(".palette li", new Page.LocatorOptions().setHasText("message in " + queue.name() + "/a"))
                    .waitFor();
            tab.page.keyboard().press("Enter");
            tab.page.waitForURL("**/sought");
            tab.page.locator(".json").waitFor();
        }
    }

    @Test
    void everythingIsReachedWithTheKeyboard() {
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            tab.page.keyboard().press("Tab");
            assertThat(focused(tab)).isEqualTo("Skip to the content");
            tab.page.keyboard().press("Enter");
            for (int i = 0; i < 12 && !focused(tab).contains("New queue"); i++) {
                tab.page.keyboard().press("Tab");
            }
            tab.page.keyboard().press("Enter");
            tab.ask().waitFor();
            tab.page.keyboard().press("Escape");
            tab.ask().waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.DETACHED));
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
            assertThat(tab.page.evaluate("getComputedStyle(document.body).backgroundColor"))
                    .isEqualTo("rgb(18, 19, 22)");
        }
    }

    @Test
    void whatDoesNotExistIsSaid() {
        try (Tab tab = Tab.of(board.url()).open("/queues/nowhere")) {
            tab.page.getByText("This does not exist.").waitFor();
            tab.forgive("404");
        }
    }

    @Test
    void thePhoneHasAMenu() {
        try (Tab tab = Tab.of(board.url(), options -> options.setViewportSize(390, 844)).open("/queues")) {
            assertThat(tab.page.locator("nav.menu").isVisible()).isFalse();
            tab.button("Menu").click();
            tab.page.locator("nav.menu").getByText("Dead letters").click();
            tab.page.waitForURL("**/dead-letters");
            tab.settled();
            tab.page.waitForCondition(() -> !tab.page.locator("nav.menu").isVisible());
        }
    }

    private static String focused(Tab tab) {
        return String.valueOf(tab.page
                .evaluate("document.activeElement.matches('a, button') ? document.activeElement.innerText : ''"))
                .strip();
    }
}
