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

/** A browser tab. Closing it fails if the browser has reported an error. */
final class Tab implements AutoCloseable {
    private static final int PATIENCE_MS = 120_000;
    /** Records all notes, because a note disappears after a few seconds, which may be too early on a slow machine. */
    private static final String LISTEN = """
            window.notes = [];
            new MutationObserver((changes) => changes.flatMap((change) => [...change.addedNodes])
                .flatMap((node) => node.matches?.('.toast') ? [node] : [...(node.querySelectorAll?.('.toast') ?? [])])
                .forEach((note) => window.notes.push(note.textContent)))
              .observe(document, { childList: true, subtree: true });""";
    /** Each note is recorded once. */
    private static final String HAS_NOTE = """
            (text) => {
              const found = window.notes.findIndex((note) => note.includes(text));
              return found >= 0 && window.notes.splice(found, 1).length === 1;
            }""";

    final Page page;
    private final BrowserContext context;
    private final String url;
    private final List<String> errors = new CopyOnWriteArrayList<>();
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
                errors.add(message.type() + ": " + message.text());
            }
        });
        page.onRequest(request -> {
            // Requests of the previous page end without a report for each of them.
            if (request.isNavigationRequest()) {
                underWay.clear();
            } else if (request.url().contains("/api/")) {
                underWay.add(request);
            }
        });
        page.onRequestFinished(underWay::remove);
        page.onRequestFailed(underWay::remove);
        page.onPageError(error -> errors.add("failed: " + error));
        page.onDialog(dialog -> {
            errors.add("a script opened a dialog: " + dialog.message());
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

    /** Opens the address and waits until the page is shown. */
    Tab open(String path) {
        page.navigate(url + path);
        return settled();
    }

    /** Waits until no request is in flight and the page shows its data or an error. */
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

    /** Waits until the number of elements is `count`. */
    void counts(int count, Locator elements) {
        PlaywrightAssertions.assertThat(elements).hasCount(count,
                new LocatorAssertions.HasCountOptions().setTimeout(PATIENCE_MS));
    }

    Locator button(String name) {
        return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    /** Returns the open dialog. */
    Locator ask() {
        return page.locator("dialog.ask");
    }

    Locator askButton(String name) {
        return ask().getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
    }

    /** Waits for a note that contains the text. */
    void showsNote(String text) {
        page.waitForCondition(() -> (boolean) page.evaluate(HAS_NOTE, text));
    }

    /** Removes expected errors of the browser. */
    void expectError(String part) {
        errors.removeIf(each -> each.contains(part));
    }

    List<String> errors() {
        return errors;
    }

    @Override
    public void close() {
        context.close();
        assertThat(errors).as("errors in the browser").isEmpty();
    }

    /** Started once for all tests of a run. */
    private static final class Chromium {
        private static final Browser BROWSER = launch();

        private static Browser launch() {
            var program = Program.CHROMIUM.find().orElseThrow(
                    () -> new IllegalStateException("a test that opens a tab must declare @Needs(Program.CHROMIUM)"));
            // The sandbox of Chromium does not work for root, which CI is.
            return Playwright.create().chromium().launch(new BrowserType.LaunchOptions().setExecutablePath(program)
                    .setArgs(List.of("--no-sandbox", "--disable-gpu")));
        }
    }
}
