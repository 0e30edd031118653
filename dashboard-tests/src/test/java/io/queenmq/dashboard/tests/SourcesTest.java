package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules for every file of the dashboard. */
class SourcesTest {
    private static final int LINES_MAX = 300;
    private static final int LINE_LENGTH_MAX = 200;

    @Test
    void aScriptIsNoLongerThanItCanBeRead() {
        assertThat(Sources.paths(".js")).hasSizeGreaterThan(40)
                .allSatisfy(path -> assertThat(Sources.text(path).lines().count()).as(path.toString())
                        .isLessThanOrEqualTo(LINES_MAX))
                .allSatisfy(path -> assertThat(Sources.text(path).lines()).as(path.toString()).allMatch(
                        line -> line.length() <= LINE_LENGTH_MAX && !line.endsWith(" ") && !line.contains("\t")));
    }

    @Test
    void aScriptHasADescriptionAndAtMostOneComponent() {
        for (Path path : Sources.paths(".js")) {
            assertThat(Sources.text(path)).as(path.toString()).startsWith("// ");
            assertThat(Sources.text(path).split("customElements\\.define", -1).length - 1).as(path.toString())
                    .isLessThanOrEqualTo(1);
        }
    }

    @Test
    void thereIsOneStylesheet() {
        assertThat(Sources.paths(".css")).hasSize(1);
    }

    @Test
    void filesLoadNothingFromOtherHostsAndEvaluateNoStrings() {
        for (String ending : List.of(".js", ".css", ".html")) {
            assertThat(Sources.all(ending)).doesNotContain("https://")
                    .doesNotContainPattern("http://(?!www\\.w3\\.org)").doesNotContain("unsafeHTML", "unsafeStatic",
                            "innerHTML", "eval(", "new Function", "document.write");
        }
    }

    @Test
    void everyColorIsAToken() {
        String rules = Sources.all(".css");
        String beyondTokens = rules.substring(rules.indexOf("/* ---- ground ---- */"));

        assertThat(beyondTokens.lines()
                .filter(line -> line.matches(".*#[0-9a-fA-F]{3,6}\\b.*") && !line.contains("light-dark("))).isEmpty();
    }
}
