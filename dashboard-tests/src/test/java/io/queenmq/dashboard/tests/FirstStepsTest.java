package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The commands of the card on an empty installation work as they are copied. */
@Needs({Program.CHROMIUM, Program.CURL})
class FirstStepsTest {
    private static Board board;

    @BeforeAll
    static void start() {
        board = Board.with(Map.of());
    }

    @AfterAll
    static void stop() {
        board.close();
    }

    @Test
    void theCopiedCommandsPushAndPopAMessage() throws Exception {
        try (Tab tab = Tab.of(board.url()).open("/")) {
            tab.button("queen").click();
            tab.shows(tab.page.locator(".steps"),
                    "queen push orders '{\"total\":10}' -p customer-42 --url " + board.url());
            tab.button("curl").click();
            List<String> commands = List.of(copied(tab, "Create a queue"), copied(tab, "Push a message"),
                    copied(tab, "Pop it"));

            assertThat(run(commands.get(0))).contains("orders");
            assertThat(run(commands.get(1))).contains("queued");
            assertThat(run(commands.get(2))).contains("\"total\":10", "customer-42");

            tab.open("/");
            tab.shows(tab.page.locator("main"), "orders", "Throughput");
            tab.counts(0, tab.page.locator(".steps"));
        }
    }

    private static String copied(Tab tab, String step) {
        tab.page.getByLabel("Copy: " + step, new Page.GetByLabelOptions().setExact(true)).click();
        tab.showsNote("Copied.");
        return (String) tab.page.evaluate("navigator.clipboard.readText()");
    }

    private static String run(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-c", command.replaceFirst("^curl ", "curl -sSf "))
                .redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
