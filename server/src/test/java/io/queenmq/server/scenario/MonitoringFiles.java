package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Checks the alert rules and the dashboard in docs/monitoring against the metrics of a server. */
final class MonitoringFiles {
    private static final Path FOLDER = Path.of("../docs/monitoring");
    private static final Pattern METRIC = Pattern.compile("\\b(queen_[a-z0-9_]+|up)\\b(\\{[^}]*\\})?");
    private static final Pattern SELECTED = Pattern.compile("([a-z_]+)(=~|!~|!=|=)\"");
    private static final Pattern GROUPED = Pattern.compile("\\b(?:by|on) \\(([^)]*)\\)");
    private static final Pattern IN_ALERT = Pattern.compile("\\$labels\\.([a-z_]+)");
    private static final Pattern IN_LEGEND = Pattern.compile("\\{\\{([a-z_]+)}}");
    /** The labels that Prometheus adds to every series. */
    private static final Set<String> OF_TARGETS = Set.of("instance", "job");

    private MonitoringFiles() {}

    static void checkAlerts(Exposition metrics) {
        JsonNode file = read(new YAMLMapper(), "alerts.yml");
        assertThat(Answer.fieldsOf(file)).containsExactly("groups");
        Set<String> names = new HashSet<>();
        for (JsonNode group : file.get("groups")) {
            assertThat(Answer.fieldsOf(group)).containsExactly("name", "rules");
            for (JsonNode rule : group.get("rules")) {
                String name = rule.get("alert").asText();
                assertThat(Answer.fieldsOf(rule)).as(name).containsExactly("alert", "expr", "for", "labels",
                        "annotations");
                assertThat(names.add(name)).as("unique: " + name).isTrue();
                assertThat(rule.get("for").asText()).as(name).matches("[0-9]+[smh]");
                assertThat(rule.at("/labels/severity").asText()).as(name).isIn("warning", "critical");
                assertThat(Answer.fieldsOf(rule.get("annotations"))).as(name).containsExactly("summary", "description",
                        "runbook_url");
                checkQuery(name, rule.get("expr").asText(), labelsIn(IN_ALERT, rule.get("annotations").toString()),
                        metrics);
            }
        }
        assertThat(names).hasSizeGreaterThan(15);
        String guide = text("README.md");
        assertThat(names).allSatisfy(name -> assertThat(guide).contains("`" + name + "`"));
        assertThat(matches(Pattern.compile("`(Queen[A-Za-z]+)`"), guide))
                .allSatisfy(match -> assertThat(names).contains(match.group(1)));
    }

    static void checkDashboard(Exposition metrics) {
        JsonNode file = read(new ObjectMapper(), "grafana.json");
        Set<Integer> ids = new HashSet<>();
        int queries = 0;
        for (JsonNode panel : file.get("panels")) {
            String title = panel.get("title").asText();
            assertThat(ids.add(panel.get("id").asInt())).as(title).isTrue();
            assertThat(panel.at("/gridPos/x").asInt() + panel.at("/gridPos/w").asInt()).as(title)
                    .isLessThanOrEqualTo(24);
            if (panel.get("type").asText().equals("row")) {
                continue;
            }
            assertThat(panel.get("description").asText()).as(title).isNotBlank();
            assertThat(panel.at("/fieldConfig/defaults/unit").asText()).as(title).isNotBlank();
            for (JsonNode target : panel.get("targets")) {
                queries++;
                checkQuery(title, target.get("expr").asText(), labelsIn(IN_LEGEND, target.get("legendFormat").asText()),
                        metrics);
            }
        }
        assertThat(queries).isGreaterThan(30);
        for (JsonNode variable : file.at("/templating/list")) {
            var values = matches(Pattern.compile("label_values\\((\\w+), (\\w+)\\)"), variable.get("query").asText());
            values.forEach(value -> assertThat(metrics.labelsOf(value.group(1))).contains(value.group(2)));
        }
    }

    /** @param shown the labels that the panel or alert shows */
    private static void checkQuery(String of, String query, Set<String> shown, Exposition metrics) {
        Set<String> known = new HashSet<>(OF_TARGETS);
        List<MatchResult> used = matches(METRIC, query);
        assertThat(used).as(of).isNotEmpty();
        for (MatchResult metric : used) {
            Set<String> labels = new HashSet<>(OF_TARGETS);
            if (!metric.group(1).equals("up")) {
                assertThat(metrics.labelsOf(metric.group(1))).as(of + " uses " + metric.group(1)).isNotNull();
                labels.addAll(metrics.labelsOf(metric.group(1)));
            }
            if (metric.group(2) != null) {
                assertThat(labelsIn(SELECTED, metric.group(2))).as(of).isNotEmpty().isSubsetOf(labels);
            }
            known.addAll(labels);
        }
        Set<String> grouped = new HashSet<>();
        matches(GROUPED, query).forEach(match -> grouped.addAll(List.of(match.group(1).split(", *"))));
        grouped.remove("");
        assertThat(grouped).as(of).isSubsetOf(known);
        // The result of a query that groups has only the labels by which it groups.
        boolean isSummed = query.matches("(?s).*\\b(max|min|sum|count)( by \\([^)]*\\))? ?\\(.*");
        assertThat(shown).as(of + " shows").isSubsetOf(isSummed ? grouped : known);
    }

    private static Set<String> labelsIn(Pattern pattern, String text) {
        Set<String> labels = new HashSet<>();
        matches(pattern, text).forEach(match -> labels.add(match.group(1)));
        return labels;
    }

    private static List<MatchResult> matches(Pattern pattern, String text) {
        return new ArrayList<>(pattern.matcher(text).results().toList());
    }

    private static JsonNode read(ObjectMapper mapper, String file) {
        try {
            return mapper.readTree(text(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(String file) {
        try {
            return Files.readString(FOLDER.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
