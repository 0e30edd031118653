package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Response;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import org.junit.jupiter.api.Test;

/** The content security policy holds: only the dashboard's own files are scripts and styles. */
@Needs(Program.CHROMIUM)
class PolicyTest {
    private final Board board = Board.shared();

    @Test
    void thePolicyIsStrict() {
        try (Tab tab = Tab.of(board.url())) {
            Response response = tab.page.navigate(board.url() + "/");
            assertThat(response.headerValue("content-security-policy"))
                    .containsPattern("script-src 'self' 'sha256-[A-Za-z0-9+/=]{44}';")
                    .contains("style-src 'self';", "object-src 'none'", "base-uri 'none'")
                    .doesNotContain("unsafe-inline", "unsafe-eval");
            tab.settled();
        }
    }

    @Test
    void foreignScriptsDoNotRun() {
        try (Tab tab = Tab.of(board.url())) {
            tab.open("/");
            tab.page.evaluate("""
                    () => {
                      const script = document.createElement('script');
                      script.textContent = 'window.ran = "inline"';
                      document.body.append(script);
                      const button = document.createElement('button');
                      button.setAttribute('onclick', 'window.ran = "handler"');
                      document.body.append(button);
                      button.click();
                    }""");
            tab.page.waitForCondition(() -> tab.errors().size() >= 2);
            assertThat(tab.page.evaluate("window.ran")).isNull();
            assertThat(tab.errors()).allMatch(each -> each.contains("Content Security Policy"));
            tab.expectError("Content Security Policy");
        }
    }
}
