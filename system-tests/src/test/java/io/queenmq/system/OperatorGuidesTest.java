package io.queenmq.system;

import static io.queenmq.system.Repository.ROOT;
import static io.queenmq.system.Repository.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The runbook describes every alert, and the table of capacities is computed with the formulas of its page. */
class OperatorGuidesTest {
    private static final String RUNBOOK = "docs/guide/runbook.md";
    private static final int LEASE_AND_ACK_BYTES = 541;

    @Test
    void everyAlertHasASectionInTheRunbook() throws IOException {
        Set<String> sections = DocumentLinksTest.anchors(text(ROOT.resolve(RUNBOOK)));

        assertThat(alerts()).hasSizeGreaterThan(15).allSatisfy(rule -> {
            String anchor = rule.get("alert").asText().toLowerCase(Locale.ROOT);
            assertThat(sections).contains(anchor);
        });
    }

    @Test
    void everyAlertLinksToItsSection() throws IOException {
        assertThat(alerts()).allSatisfy(rule -> assertThat(rule.at("/annotations/runbook_url").asText())
                .isEqualTo("{{ $externalLabels.queen_url }}/docs/guide/runbook#"
                        + rule.get("alert").asText().toLowerCase(Locale.ROOT)));
    }

    @Test
    void everySectionOfTheRunbookIsAnAlert() throws IOException {
        List<String> alerts = alerts().stream().map(rule -> rule.get("alert").asText()).toList();

        assertThat(text(ROOT.resolve(RUNBOOK)).lines().filter(line -> line.startsWith("### "))
                .map(line -> line.substring(4))).containsExactlyInAnyOrderElementsOf(alerts);
    }

    @Test
    void theCapacitiesAreComputedWithTheFormulas() {
        Map<Integer, double[]> costs = new HashMap<>();
        List<List<String>> examples = new ArrayList<>();
        for (String line : text(ROOT.resolve("docs/guide/capacity.md")).lines().toList()) {
            List<String> cells = Arrays.stream(line.split("\\|")).map(String::strip).filter(cell -> !cell.isEmpty())
                    .toList();
            if (line.matches("\\| \\d.*") && cells.size() == 5) {
                costs.put(Integer.valueOf(cells.getFirst()),
                        Arrays.stream(String.join(",", cells.subList(1, 5)).split(",")).mapToDouble(Double::parseDouble)
                                .toArray());
            } else if (line.matches("\\| \\d.*") && cells.size() == 8) {
                examples.add(cells);
            }
        }
        assertThat(costs).containsOnlyKeys(1, 10, 100);
        assertThat(examples).hasSizeGreaterThan(4).allSatisfy(cells -> assertThat(cells.subList(4, 8))
                .isEqualTo(compute(cells, costs.get(Integer.valueOf(cells.get(2))))));
    }

    private static List<String> compute(List<String> cells, double[] cost) {
        double messages = number(cells.get(0));
        int batch = Integer.parseInt(cells.get(2));
        double line = number(cells.get(1)) + 150;
        String[] retention = cells.get(3).split(" ");
        double seconds = number(retention[0]) * (retention[1].equals("d") ? 86_400 : 3_600);
        return List.of(format("%,.0f GB", messages * seconds * (line + cost[0]) / 1e9),
                format("%.1f MB/s", messages * (line + cost[1] + (double) LEASE_AND_ACK_BYTES / batch) / 1e6),
                format("%.2f", messages * (cost[2] + cost[3]) / 1e6),
                format("%.2f", messages * (cost[4] + cost[5]) / 1e6));
    }

    private static double number(String cell) {
        return Double.parseDouble(cell.replace(",", ""));
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    private static List<JsonNode> alerts() throws IOException {
        List<JsonNode> alerts = new ArrayList<>();
        new YAMLMapper().readTree(text(ROOT.resolve("docs/monitoring/alerts.yml"))).get("groups")
                .forEach(group -> group.get("rules").forEach(alerts::add));
        return alerts;
    }
}
