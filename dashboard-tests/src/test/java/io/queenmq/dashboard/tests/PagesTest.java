package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every page shows its content without an error in the browser, in readable colors: in the light, dark and phone layout. The
 * screenshots of all of them are in {@code target/screenshots}. With {@code -Dqueen.write-docs=true} the pictures in the
 * documents are replaced, too.
 */
@Needs(Program.CHROMIUM)
class PagesTest {
    private static final Path IMAGES = Path.of("../docs/images");
    private static final Path SCREENSHOTS = Path.of("target/screenshots");
    /** The documents do not show pictures of themselves. */
    private static final List<String> PAGES_OF_DOCUMENTS = List.of("document", "document-search");
    private static final boolean IS_WRITING = Boolean.getBoolean("queen.write-docs");
    private static final String UNREADABLE = Sources.resource("/unreadable.js");
    private static final Board BOARD = Board.shared();
    private static final Set<Where> NIGHT_PICTURES = Set.of(Where.OVERVIEW, Where.PARTITION, Where.DEAD_LETTERS);

    /** @param shows visible texts that do not depend on other tests */
    enum Where {
        OVERVIEW(_ -> "/", "problems", "behind on shop.orders", "Messages per second", "queen-1"),
        QUEUES(_ -> "/queues", "shop.orders", "no readers", "paused", "New queue"),
        QUEUE(_ -> "/queues/shop.orders", "waiting", "Unfinished messages", "Age of the oldest due unread message",
                "Time from push to delivery", "Failed acknowledgments"),
        QUEUE_PARTITIONS(_ -> "/queues/shop.orders?tab=partitions", "customer-042", "analytics", "Deepest first"),
        QUEUE_GROUPS(_ -> "/queues/shop.orders?tab=groups", "billing", "shipping", "Partitions behind"),
        QUEUE_TAIL(_ -> "/queues/shop.orders?tab=tail", "order-40-held", "live"),
        QUEUE_SETTINGS(_ -> "/queues/shop.orders?tab=settings", "Lease time", "10 min", "Retry limit", "no limit",
                "Encryption"),
        PARTITION(board -> "/partitions/" + partition(board, Shop.STUCK_PARTITION) + "?group=billing",
                "Failed, waiting for the next attempt", "PriceCheck", "order-42-poison", "Dead-letter the head",
                "head: offset of the next message"),
        MESSAGES(_ -> "/messages", "Any state", "pending", "1 to 100, newest first"),
        MESSAGE(board -> "/messages/" + partition(board, Shop.STUCK_PARTITION) + "/order-42-poison", "PriceCheck",
                "orderId", "transactionId", "Dead-letter"),
        GROUPS(_ -> "/groups", "analytics", "lagging", "stable", "Consumers"),
        GROUP(_ -> "/groups/analytics", "Partitions of shop.orders", "customer-050", "Delete everywhere"),
        STREAMS(_ -> "/queries", "shop.clicks.totals", "Last cycle", "stream quer"),
        STREAM(_ -> "/queries/shop.clicks?partition=a", "minute:0", "Window ends", "flushes", "Reset"),
        DEAD_LETTERS(_ -> "/dead-letters?queue=shop.emails", "SMTP 550: mailbox unavailable", "sender", "Redrive all"),
        TRACES(_ -> "/traces?name=checkout-18", "printer is out of paper", "printing", "shop.invoices"),
        OPERATIONS(_ -> "/operations", "Engine loop: lag", "Database calls", "Segment cache", "running"),
        POSTGRES(_ -> "/postgres", "Cache hits", "segment", "Heap-only", "Vacuums"),
        SYSTEM(_ -> "/system", "Maintenance", "Pushes are stored", "Audit", "configure"),
        DOCUMENT(_ -> "/docs/guide/runbook", "Runbook", "QueenGroupBehind"),
        DOCUMENT_SEARCH(_ -> "/docs?q=retryLimit", "sections contain", "Queue options");

        private final Function<Board, String> path;
        private final List<String> shows;

        Where(Function<Board, String> path, String... shows) {
            this.path = path;
            this.shows = List.of(shows);
        }

        private String image() {
            return name().toLowerCase().replace('_', '-');
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyPageShowsItsContents(Where where) {
        try (Tab tab = Tab.of(BOARD.url())) {
            if (IS_WRITING) {
                asIfPackaged(tab);
            }
            tab.open(where.path.apply(BOARD));
            check(tab, where);
            picture(tab, where.image());
            screenshot(tab, where, "light");
            assertThat(tab.page.evaluate(UNREADABLE)).as("by day").isEqualTo(List.of());
            byNight(tab);
            assertThat(tab.page.evaluate(UNREADABLE)).as("by night").isEqualTo(List.of());
            screenshot(tab, where, "dark");
            if (NIGHT_PICTURES.contains(where)) {
                picture(tab, where.image() + "-dark");
            }
            tab.page.setViewportSize(390, 844);
            tab.page.waitForCondition(() -> !tab.page.locator("nav.menu").isVisible());
            check(tab, where);
            // A phone does not scroll sideways.
            tab.page.waitForCondition(() -> tab.page.evaluate("document.documentElement.scrollWidth").equals(390));
            screenshot(tab, where, "phone");
            if (where == Where.PARTITION) {
                picture(tab, "partition-phone");
            }
        }
    }

    /** Replaces the version: classes in a folder have none, and the documents show a packaged server. */
    private static void asIfPackaged(Tab tab) {
        tab.page.route("**/health", route -> route.fulfill(new Route.FulfillOptions()
                .setBody(route.fetch().text().replace("unpackaged", "0.1.0")).setContentType("application/json")));
    }

    private static void byNight(Tab tab) {
        tab.page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        tab.page.waitForCondition(
                () -> tab.page.evaluate("getComputedStyle(document.body).backgroundColor").equals("rgb(18, 19, 22)"));
    }

    private static void check(Tab tab, Where where) {
        for (String text : where.shows) {
            tab.page.locator("main", new Page.LocatorOptions().setHasText(text)).waitFor();
        }
        if (tab.page.locator("ui-chart").count() > 0) {
            tab.page.locator("ui-chart canvas").first().waitFor();
        }
        tab.page.waitForCondition(() -> tab.page.title().endsWith("Queen"));
        assertThat(tab.page.locator("main .notice.bad[role=alert]").count()).isZero();
    }

    private static void screenshot(Tab tab, Where where, String layout) {
        tab.page.screenshot(new Page.ScreenshotOptions()
                .setPath(SCREENSHOTS.resolve(where.image() + "-" + layout + ".png")).setFullPage(true));
    }

    private static void picture(Tab tab, String name) {
        if (IS_WRITING && !PAGES_OF_DOCUMENTS.contains(name)) {
            tab.page.screenshot(new Page.ScreenshotOptions().setPath(IMAGES.resolve(name + ".png")));
        }
    }

    static String partition(Board board, String name) {
        return board.queen().get("/api/v1/resources/partitions?queue=shop.orders&search=" + name).body()
                .get("partitions").get(0).get("id").asText();
    }
}
