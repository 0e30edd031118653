package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.queenmq.testkit.Program;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A window of a browser that somebody looks at; closing it fails if the browser complained about anything. */
final class Tab implements AutoCloseable {
    private static final int PATIENCE_MS = 120_000;
    /** Keeps what was told: a note is gone after a few seconds, which on a slow machine may be before anybody has looked. */
    private static final String LISTEN = """
            window.notes = [];
            new MutationObserver((changes) => changes.flatMap((change) => [...change.addedNodes])
                .flatMap((node) => node.matches?.('.toast') ? [node] : [...(node.querySelectorAll?.('.toast') ?? [])])
                .forEach((note) => window.notes.push(note.textContent)))
              .observe(document, { childList: true, subtree: true });""";
    /** Each note is heard once. */
    private static final String IS_TOLD = """
            (text) => {
              const found = window.notes.findIndex((note) => note.includes(text));
              return found >= 0 && window.notes.splice(found, 1).length === 1;
            }""";

    final Page page;
    private final BrowserContext context;
    private final String url;
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    /** Requests of the page for data that have not been answered yet. */
    private final Set<Request> underWay = ConcurrentHashMap.newKeySet();

    private Tab(String url, BrowserContext context) {
        this.url = url;
        this.context = context;
        context.setDefaultTimeout(PATIENCE_MS);
        context.addInitScript(LISTEN);
        page = context.newPage();
        page.onConsoleMessage(message -> {
            if (List.of("error", "warning").contains(message.type())) {
                complaints.add(message.type() + ": " + message.text());
            }
        });
        page.onRequest(request -> {
            // The requests of the page before end with it, and not each of them is reported.
            if (request.isNavigationRequest()) {
                underWay.clear();
            } else if (request.url().contains("/api/")) {
                underWay.add(request);
            }
        });
        page.onRequestFinished(underWay::remove);
        page.onRequestFailed(underWay::remove);
        page.onPageError(error -> complaints.add("failed: " + error));
        page.onDialog(dialog -> {
            complaints.add("a script opened a dialog: " + dialog.message());
            dialog.dismiss();
        });
    }

    static Tab of(String url) {
        return of(url, _ -> {});
    }

    static Tab of(String url, Consumer<Browser.NewContextOptions> adapt) {
        Browser.NewContextOptions options = new Browser.NewContextOptions().setViewportSize(1440, 900)
                .setColorScheme(ColorScheme.LIGHT).setLocale("en-GB").setTimezoneId("UTC")
                .setPermissions(List.of("clipboard-read", "clipboard-write"));
        adapt.accept(options);
        return new Tab(url, Chromium.BROWSER.newContext(options));
    }

    /** Goes there as somebody who was sent the link, and waits until something is shown. */
    Tab open(String path) {
        page.navigate(url + path);
        return settled();
    }

    /** Waits until the page shows data, or why not: no request is under way, and nothing is left to be filled in. */
    Tab settled() {
        page.locator("main > * >> nth=0").waitFor();
        page.waitForCondition(() -> underWay.isEmpty() && page.locator(".skeleton").count() == 0);
        return this;
    }

    /** Waits until the element contains each of these texts. */
    void shows(Locator element, String... texts) {
        for (String text : texts) {
            PlaywrightAssertions.assertThat(element).containsText(text,
                    new LocatorAssertions.ContainsTextOptions().setUseInnerText(true).setTimeout(PATIENCE_MS));
        }
    }

    /** Waits until there are so many elements like this. */
    void counts(int count, Locator elements) {
        PlaywrightAssertions.assertThat(elements).hasCount(count,
                new LocatorAssertions.HasCountOptions().setTimeout(PATIENCE_MS));
    }

    Locator button(String name) {
        return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    /** The dialog that asks before something is done. */
    Locator ask() {
        return page.locator("dialog.ask");
    }

    Locator askButton(String name) {
        return ask().getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
    }

    /** Waits for the note that says what was done. */
    void told(String text) {
        page.waitForCondition(() -> (boolean) page.evaluate(IS_TOLD, text));
    }

    /** Expected, so not a reason to fail. */
    void forgive(String part) {
        complaints.removeIf(each -> each.contains(part));
    }

    List<String> complaints() {
        return complaints;
    }

    @Override
    public void close() {
        context.close();
        assertThat(complaints).as("what the browser complained about").isEmpty();
    }

    /** Started once for all tests of a run. */
    private static final class Chromium {
        private static final Browser BROWSER = launch();

        private static Browser launch() {
            var program = Program.CHROMIUM.find().orElseThrow(
                    () -> new IllegalStateException("a test that opens a tab says @Needs(Program.CHROMIUM)"));
            // The sandbox of Chromium does not work for root, which CI is.
            return Playwright.create().chromium().launch(new BrowserType.LaunchOptions().setExecutablePath(program)
                    .setArgs(List.of("--no-sandbox", "--disable-gpu")));
        }
    }
}
