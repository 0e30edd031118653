package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The PostgreSQL page shows shards and nodes if there are several. */
@Needs(Program.CHROMIUM)
class ShardTablesTest {
    private static Board one;
    private static Board several;

    @BeforeAll
    static void open() {
        one = Board.with(Map.of("QUEEN_SHARDS", "1"));
        several = Board.with(Map.of("QUEEN_SHARDS", "3"));
    }

    @AfterAll
    static void close() {
        one.close();
        several.close();
    }

    @Test
    void shardsAndTheirNodeAreShown() {
        try (Tab tab = Tab.of(several.url())) {
            tab.open("/postgres");
            tab.page.locator(table("Shards")).waitFor();
            tab.page.locator(table("Nodes")).waitFor();
            for (String text : new String[]{"queen_00", "queen_02", "in place", ":" + several.database().port(),
                "Nodes"}) {
                see(tab, text);
            }
        }
    }

    @Test
    void movingAndUnavailableShardsAreMarked() {
        try (Tab tab = Tab.of(several.url())) {
            tab.page.route("**/api/v1/analytics/shards",
                    route -> route.fulfill(new Route.FulfillOptions().setContentType("application/json").setBody("""
                            {"timestamp": "2026-01-01T00:00:00.000Z", "isCitus": true,
                             "nodes": [{"host": "one", "port": 5432, "shards": 2, "bytes": 1000, "rowsWritten": 7}],
                             "shards": [
                               {"number": 0, "schema": "queen_00", "host": "one", "port": 5432, "trouble": null, "bytes": 1000,
                                "rowsWritten": 7, "partitions": 3, "messages": 5, "pending": 1,
                                "move": {"host": "two", "port": 5433, "bytes": 1000, "movedBytes": 250}},
                               {"number": 1, "schema": "queen_01", "host": "one", "port": 5432, "trouble": "no route to host",
                                "bytes": null, "rowsWritten": null, "partitions": null, "messages": null, "pending": null,
                                "move": null}]}""")));
            tab.open("/postgres");
            see(tab, "moving to two:5433 25");
            see(tab, "no route to host");
        }
    }

    @Test
    void aSingleShardIsNotListed() {
        try (Tab tab = Tab.of(one.url())) {
            tab.open("/postgres");
            see(tab, "Cache hits");
            // The lists of statements name schemas, too: only the tables show whether there are several shards.
            tab.page.locator(table("Tables")).waitFor();
            assertThat(tab.page.locator(table("Shards")).count()).isZero();
            assertThat(tab.page.locator(table("Nodes")).count()).isZero();
        }
    }

    private static String table(String label) {
        return ".table[aria-label='" + label + "']";
    }

    private static void see(Tab tab, String text) {
        tab.page.locator("main", new Page.LocatorOptions().setHasText(text)).waitFor();
    }
}
