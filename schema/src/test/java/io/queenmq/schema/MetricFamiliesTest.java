package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Every metric of the database has a family, and every family has a metric. Prometheus would silently miss a metric
 * without a family.
 */
class MetricFamiliesTest {
    private static final Pattern METRIC = Pattern.compile("'(queen_[a-z_]+)'");
    private static final Pattern FAMILY = Pattern.compile("\\('(queen_[a-z_]+)', '(counter|gauge)', '[A-Z0-9]");
    /** A meter of a server. Its name in Prometheus begins like this and may have a suffix for its unit. */
    private static final Pattern METER = Pattern.compile("\"(queen\\.[a-z.]+)\"");
    /** A family that a server writes itself. */
    private static final Pattern OWN_FAMILY = Pattern.compile("\"(queen_[a-z_]+_(?:total|seconds))\"");
    private static final Pattern NAMED = Pattern.compile("\\bqueen_[a-z][a-z0-9_]+");
    /** A claim of tokens, the prefix of the schemas of routines, a database, a label of alerts. */
    private static final Set<String> NO_METRICS = Set.of("queen_rights", "queen_api_", "queen_push_cost", "queen_url");
    private static final Pattern REASONS = Pattern.compile("'queen_dead_lettered_total', array\\[([^\\]]*)\\]");
    private static final Pattern REASON = Pattern.compile("'([a-z_]+)'");

    private static final List<String> METRICS = List.of("metrics_of_cluster", "metrics_of_groups", "metrics_of_queues",
            "metrics_of_servers");

    @Test
    void metricsAndFamiliesAreTheSame() {
        var metrics = METRICS.stream().flatMap(name -> METRIC.matcher(text(name)).results())
                .map(match -> match.group(1)).collect(Collectors.toCollection(TreeSet::new));

        assertThat(FAMILY.matcher(text("metric_families")).results().map(match -> match.group(1)))
                .doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(metrics);
    }

    /** A reason must have a series before its first dead letter. */
    @Test
    void everyReasonOfADeadLetterHasASeries() {
        var reasons = REASONS.matcher(text("metrics_of_queues"));
        assertThat(reasons.find()).isTrue();
        Set<String> listed = REASON.matcher(reasons.group(1)).results().map(match -> match.group(1))
                .collect(Collectors.toSet());

        assertThat(table("reason: ([a-z_, ]+);")).isEqualTo(listed);
        assertThat(listed).allSatisfy(reason -> assertThat(Script.all()).filteredOn(Script::isRoutine)
                .filteredOn(script -> !script.name().equals("metrics_of_queues")).as(reason)
                .anyMatch(script -> script.text().contains("'" + reason + "'")));
    }

    @Test
    void documentsAlertsAndTheDashboardNameMetricsThatExist() {
        var families = FAMILY.matcher(text("metric_families")).results().map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Sources.of("engine/src/main/java", ".java").flatMap(text -> OWN_FAMILY.matcher(text).results())
                .map(match -> match.group(1)).forEach(families::add);
        var meters = Sources.of("engine/src/main/java", ".java", "server/src/main/java", ".java")
                .flatMap(text -> METER.matcher(text).results()).map(match -> match.group(1).replace('.', '_')).toList();
        var named = Sources.of("docs", ".md", "docs/monitoring", ".yml", "docs/monitoring", ".json")
                .flatMap(text -> NAMED.matcher(text).results()).map(MatchResult::group)
                .filter(name -> !NO_METRICS.contains(name));

        assertThat(named).hasSizeGreaterThan(100)
                .allMatch(name -> families.contains(name) || meters.stream().anyMatch(name::startsWith));
    }

    private static Set<String> table(String comment) {
        var found = Pattern.compile(comment).matcher(text("0002_shard"));
        assertThat(found.find()).isTrue();
        return Set.of(found.group(1).strip().split(", | or "));
    }

    private static String text(String name) {
        return Script.all().stream().filter(script -> script.name().equals(name)).findFirst().orElseThrow().text();
    }
}
