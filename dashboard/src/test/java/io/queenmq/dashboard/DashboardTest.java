package io.queenmq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class DashboardTest {
    private static final Pattern ADDRESS = Pattern.compile("\"/assets/([^\"]+)\"");

    private final Dashboard dashboard = Dashboard.get();

    @Test
    void everyReferencedFileExists() {
        List<String> named = ADDRESS.matcher(dashboard.page()).results().map((MatchResult found) -> found.group(1))
                .toList();

        assertThat(named).hasSizeGreaterThan(7).filteredOn(path -> !path.endsWith("/")).allSatisfy(path -> {
            assertThat(path).startsWith(dashboard.release() + "/");
            assertThat(dashboard.asset(path)).as(path).isNotNull();
        });
        assertThat(dashboard.page()).doesNotContain("@assets@");
    }

    @Test
    void librariesContainTheirLicenses() {
        for (String library : List.of("lit", "lit-html", "lit-element", "reactive-element", "echarts")) {
            assertThat(dashboard.asset(dashboard.release() + "/lib/" + library + "/LICENSE")).as(library).isNotNull();
        }
    }

    @Test
    void compressedIsTheSame() throws Exception {
        Asset script = dashboard.asset(dashboard.release() + "/js/main.js");
        Asset style = dashboard.asset(dashboard.release() + "/css/style.css");

        assertThat(script.type()).startsWith("text/javascript");
        assertThat(new GZIPInputStream(new ByteArrayInputStream(style.gzip())).readAllBytes()).isEqualTo(style.bytes());
        assertThat(new String(style.bytes(), StandardCharsets.UTF_8)).contains("--accent");
    }

    @Test
    void theHashIsThatOfTheImportMap() {
        assertThat(dashboard.importMapHash()).matches("'sha256-[A-Za-z0-9+/]{43}='");
    }
}
