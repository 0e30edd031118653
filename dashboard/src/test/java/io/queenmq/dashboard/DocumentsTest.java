package io.queenmq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DocumentsTest {
    private static final Pattern TARGET = Pattern.compile("(?:href|src)=\"([^\"]+)\"");

    private final Documents documents = Documents.get();

    @Test
    void everyLinkOfEveryPageHasATarget() {
        Map<String, List<String>> anchors = documents.anchors();
        List<String> dead = new ArrayList<>();
        int links = 0;
        for (String address : anchors.keySet()) {
            for (String target : targets(documents.page(address))) {
                links++;
                if (!exists(address, target, anchors)) {
                    dead.add(address + " -> " + target);
                }
            }
        }
        assertThat(dead).isEmpty();
        assertThat(links).isGreaterThan(2000);
    }

    private boolean exists(String address, String target, Map<String, List<String>> anchors) {
        if (target.matches("[a-z]+:.*") || target.equals("/")) {
            return true;
        }
        if (target.startsWith("/assets/")) {
            return Dashboard.get().asset(target.substring("/assets/".length())) != null;
        }
        if (target.equals("#menu")) {
            return true;
        }
        int hash = target.indexOf('#');
        String page = hash == 0 ? address : hash < 0 ? target : target.substring(0, hash);
        return hash < 0
                ? anchors.containsKey(page) || documents.file(page) != null
                : anchors.getOrDefault(page, List.of()).contains(target.substring(hash + 1));
    }

    @Test
    void theMenuContainsAllGuides() {
        List<String> menu = targets(documents.page("/docs"));

        assertThat(documents.anchors().keySet()).filteredOn(address -> address.startsWith("/docs/guide/"))
                .hasSizeGreaterThan(20).allSatisfy(address -> assertThat(menu).contains(address));
    }

    @Test
    void pagesHaveTheirTitleTablesAndCode() {
        assertThat(documents.page("/docs/guide/runbook")).contains("<title>Runbook · Queen</title>",
                "<h3 id=\"queengroupbehind\">", "<table>", "<pre><code>queen group describe billing",
                "aria-current=\"page\">Runbook</a>");
        assertThat(documents.page("/docs/guide/database-role")).doesNotContain("snippet:");
    }

    @Test
    void foldersAreListed() {
        assertThat(documents.page("/docs/adr")).contains("href=\"/docs/adr/0003-segments\"");
    }

    @Test
    void theSearchFindsSectionsThatContainAllWords() {
        List<String> found = targets(documents.results("retryLimit attempts"));

        assertThat(found).contains("/docs/guide/queue-options#attempts-retrylimit-and-retrydelay");
        assertThat(documents.results("QueenSpoolUnhealthy")).contains("/docs/guide/runbook#queenspoolunhealthy");
        assertThat(documents.results("zebra quagga")).contains("No section contains");
    }

    @Test
    void aQueryIsTextOnly() {
        assertThat(documents.results("\"><script>@content@")).doesNotContain("<script>")
                .contains("&quot;&gt;&lt;script");
        assertThat(documents.results("  ")).contains("No section contains");
    }

    @Test
    void linksAreRelativeToTheirDocument() {
        DocumentPaths paths = new DocumentPaths(
                Set.of("README.md", "docs/guide/a.md", "docs/monitoring/README.md", "docs/images/x.png", "LICENSE"));

        assertThat(paths.resolve("docs/guide/a.md", "../../README.md#start")).isEqualTo("/docs#start");
        assertThat(paths.resolve("README.md", "docs/guide/a.md")).isEqualTo("/docs/guide/a");
        assertThat(paths.resolve("docs/guide/a.md", "../monitoring/README.md#alerts"))
                .isEqualTo("/docs/monitoring#alerts");
        assertThat(paths.resolve("README.md", "docs/monitoring")).isEqualTo("/docs/monitoring");
        assertThat(paths.resolve("docs/guide/a.md", "../images/x.png")).isEqualTo("/docs/images/x.png");
        assertThat(paths.resolve("README.md", "LICENSE")).isEqualTo("/docs/LICENSE");
        assertThat(paths.resolve("README.md", "docs/nothing.md")).isNull();
        assertThat(paths.resolve("README.md", "https://queen.example")).isEqualTo("https://queen.example");
    }

    private static List<String> targets(String page) {
        return TARGET.matcher(page).results().map((MatchResult found) -> found.group(1)).toList();
    }
}
