package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.WaitForSelectorState;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every action works with the keyboard. */
@Needs(Program.CHROMIUM)
class KeyboardTest {
    private static final int STOPS_MAX = 400;
    private static final String FOCUSED = """
            () => {
              const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
              const name = document.activeElement.ariaLabel ?? document.activeElement.innerText;
              return document.activeElement === document.body ? '' : `${outlineStyle} ${outlineWidth} ${name}`;
            }""";

    private final Board board = Board.shared();

    @Test
    void everyControlIsReachableWithTheKeyboard() {
        try (Tab tab = Tab.of(board.url()).open("/queues")) {
            tab.page.keyboard().press("Tab");
            assertThat(focused(tab)).isEqualTo("Skip to content");
            tab.page.keyboard().press("Enter");
            reach(tab, "New queue");
            tab.page.keyboard().press("Enter");
            tab.ask().waitFor();
            tab.page.keyboard().press("Escape");
            awaitClosed(tab);
            assertThat(focused(tab)).as("the focus returns").isEqualTo("New queue");
        }
    }

    @Test
    void aPartitionIsRepaired() {
        Queues queue = Queues.create(board).filled(2).read(1, "completed");
        try (Tab tab = Tab.of(board.url()).open("/partitions/" + queue.partitionId() + "?group=g")) {
            reach(tab, "Skip the head");
            tab.page.keyboard().press("Enter");
            tab.ask().waitFor();
            assertThat(focused(tab)).as("the harmless button is first").isEqualTo("Cancel");
            tab.page.keyboard().press("Enter");
            awaitClosed(tab);
            assertThat(focused(tab)).isEqualTo("Skip the head");
            tab.page.keyboard().press("Enter");
            tab.ask().waitFor();
            reach(tab, "Skip");
            tab.page.keyboard().press("Enter");
            tab.showsNote("1 was skipped.");
        }
        assertThat(queue.next()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/queues/shop.orders?tab=settings", "/groups", "/dead-letters?queue=shop.emails",
        "/system"})
    void theFocusIsVisible(String path) {
        try (Tab tab = Tab.of(board.url()).open(path)) {
            int stops = 0;
            for (String focused = next(tab); !focused.isEmpty() && stops < STOPS_MAX; focused = next(tab)) {
                assertThat(focused).startsWith("solid 2px ");
                stops++;
            }
            assertThat(stops).isGreaterThan(15);
        }
    }

    private static String next(Tab tab) {
        tab.page.keyboard().press("Tab");
        return (String) tab.page.evaluate(FOCUSED);
    }

    private static void reach(Tab tab, String name) {
        for (int i = 0; i < STOPS_MAX && !focused(tab).equals(name); i++) {
            tab.page.keyboard().press("Tab");
        }
        assertThat(focused(tab)).isEqualTo(name);
    }

    private static void awaitClosed(Tab tab) {
        tab.ask().waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.DETACHED));
    }

    private static String focused(Tab tab) {
        return String.valueOf(tab.page
                .evaluate("document.activeElement.matches('a, button') ? document.activeElement.innerText : ''"))
                .strip();
    }
}
