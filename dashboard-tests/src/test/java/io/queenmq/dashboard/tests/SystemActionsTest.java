package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.WaitForSelectorState;
import io.queenmq.server.Server;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the maintenance modes on a separate server. */
@Needs(Program.CHROMIUM)
class SystemActionsTest {
    private static Board board;

    @BeforeAll
    static void start() {
        board = Board.with(Map.of("QUEEN_SYNC_ENABLED", "true", "QUEEN_SYNC_PORT", "0", "SPOOL_ENABLED", "true",
                "SPOOL_DIR", "target/spool-" + ProcessHandle.current().pid()));
    }

    @AfterAll
    static void stop() {
        board.close();
    }

    @Test
    void switchingPushesOffAndOnIsAudited() {
        try (Tab tab = Tab.of(board.url()).open("/system")) {
            tab.page.locator(".switches li").first().getByText("Switch off").click();
            tab.shows(tab.ask(), "All servers spool all pushes");
            tab.askButton("Switch off").click();
            tab.showsNote("Pushes are not stored.");
            assertThat(board.queen().push("q", "a", List.of("1")).body().findValuesAsText("status"))
                    .containsExactly("buffered");
            tab.page.getByText("1 message in the spool of this server").waitFor();
            tab.page.locator("td").getByText("maintenance").first().waitFor();
            tab.page.locator("nav").getByText("Overview").click();
            tab.page.getByText("Pushes are switched off").waitFor();
            tab.page.goBack();
            tab.page.locator(".switches li").first().getByText("Switch on").click();
            tab.showsNote("Pushes are stored again.");
            tab.page.getByText("1 message in the spool of this server")
                    .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.HIDDEN));
            assertThat(board.queen().push("q", "a", List.of("1")).body().findValuesAsText("status"))
                    .containsExactly("duplicate");
        }
    }

    @Test
    void otherServersAppearByThemselves() {
        try (Tab tab = Tab.of(board.url()).open("/system")) {
            tab.page.getByText("This server has no peers.").waitFor();
            try (Server _ = board.startAnother("queen-2")) {
                var row = tab.page.locator(".table[aria-label='Other servers'] tbody tr");
                row.getByText(":queen-2").waitFor();
                row.getByText("alive").waitFor();
                tab.page.waitForCondition(() -> tab.page.locator("h2").allInnerTexts().contains("Other servers"));
            }
        }
    }

    @Test
    void deliveriesAreSwitchedOffAndOn() {
        board.queen().push("handed.out", "a", List.of("1"));
        try (Tab tab = Tab.of(board.url()).open("/system")) {
            tab.page.locator(".switches li").nth(1).getByText("Switch off").click();
            tab.shows(tab.ask(), "Deliveries off, everywhere?", "No consumer receives a message on any server");
            tab.askButton("Cancel").click();
            assertThat(isOff("popMaintenanceMode")).isFalse();
            tab.page.locator(".switches li").nth(1).getByText("Switch off").click();
            tab.askButton("Switch off").click();
            tab.showsNote("Messages are not delivered.");
            assertThat(isOff("popMaintenanceMode")).isTrue();
            assertThat(isOff("maintenanceMode")).as("pushes continue").isFalse();
            assertThat(board.queen().pop("handed.out", "a", "g", "batch=1").messages()).isEmpty();
            tab.page.locator(".switches li").nth(1).getByText("Switch on").click();
            tab.showsNote("Messages are delivered again.");
            assertThat(isOff("popMaintenanceMode")).isFalse();
            assertThat(board.queen().pop("handed.out", "a", "g", "batch=1").messages()).hasSize(1);
        }
    }

    private static boolean isOff(String mode) {
        return board.queen().get("/api/v1/system/maintenance").body().get(mode).asBoolean();
    }
}
