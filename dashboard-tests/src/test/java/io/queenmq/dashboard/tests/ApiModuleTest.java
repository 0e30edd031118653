package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.dashboard.Dashboard;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The dashboard uses only routes of the OpenAPI document. */
class ApiModuleTest {
    private static final Pattern OPERATION = Pattern.compile("(\\w+): '(GET|POST|DELETE) ([^']+)'");

    @Test
    void everyCallIsDescribed() {
        JsonNode paths = Board.shared().queen().get("/openapi.json").body().get("paths");
        List<MatchResult> operations = operations();
        List<String> unknown = new ArrayList<>();
        for (MatchResult operation : operations) {
            String path = operation.group(3).replaceAll(":([A-Za-z]+)", "{$1}");
            if (!paths.path(path).has(operation.group(2).toLowerCase())) {
                unknown.add(operation.group(2) + " " + path);
            }
        }
        assertThat(unknown).isEmpty();
        assertThat(operations).hasSizeGreaterThan(45);
    }

    @Test
    void everyCallIsUsed() {
        String scripts = Sources.all(".js");
        assertThat(operations()).extracting(operation -> operation.group(1))
                .filteredOn(name -> !scripts.contains("'" + name + "'")).isEmpty();
    }

    @Test
    void onlyTheApiModuleCallsTheServerAndOnlyTheLoginItsProvider() {
        assertThat(Sources.paths(".js").stream()
                .filter(path -> !path.endsWith("core/api.js") && !path.endsWith("core/oidc.js")).filter(path -> Sources
                        .text(path).matches("(?s).*(fetch\\(|XMLHttpRequest|EventSource|WebSocket|sendBeacon).*")))
                .isEmpty();
        assertThat(Sources.paths(".js").stream().filter(path -> path.endsWith("core/oidc.js"))).singleElement()
                .satisfies(path -> assertThat(Sources.text(path)).containsOnlyOnce("fetch(")
                        .contains("fetch(provider.tokenEndpoint, {"));
    }

    private static List<MatchResult> operations() {
        Dashboard dashboard = Dashboard.get();
        String api = new String(dashboard.asset(dashboard.release() + "/js/core/api.js").bytes(),
                StandardCharsets.UTF_8);
        return OPERATION.matcher(api).results().toList();
    }
}
