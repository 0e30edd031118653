package io.queenmq.system;

import static io.queenmq.system.Repository.ROOT;
import static io.queenmq.system.Repository.files;
import static io.queenmq.system.Repository.name;
import static io.queenmq.system.Repository.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.queenmq.server.config.Setting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files in deploy are valid, complete, and agree with the settings, ports and routes of the server. */
class DeploymentFilesTest {
    private static final Path DEPLOY = ROOT.resolve("deploy");
    private static final Path CHART = DEPLOY.resolve("helm/queen");
    private static final YAMLMapper YAML = new YAMLMapper();

    /** Variables of the launcher. */
    private static final Set<String> OF_LAUNCHER = Set.of("QUEEN_JAVA_OPTS", "QUEEN_CONFIG");
    private static final Pattern VARIABLE = Pattern.compile("[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|HOST|PORT");
    private static final int GRACE_AFTER_SHUTDOWN_SECONDS = 10;

    @Test
    void manifestsHaveTheRequiredObjectsAndFields() throws IOException {
        assertObjects(manifests());
        assertThat(read(DEPLOY.resolve("kubernetes/kustomization.yaml")).getFirst().get("resources"))
                .extracting(JsonNode::asText)
                .contains("statefulset.yaml", "service.yaml", "config.yaml", "poddisruptionbudget.yaml", "secret.yaml")
                .allSatisfy(file -> assertThat(DEPLOY.resolve("kubernetes").resolve(file)).exists());
    }

    @Test
    void theChartRendersToTheRequiredObjectsAndFields() throws IOException {
        JsonNode chart = read(CHART.resolve("Chart.yaml")).getFirst();
        assertThat(chart.get("apiVersion").asText()).isEqualTo("v2");
        assertThat(Stream.of("name", "version", "appVersion", "description")).allMatch(chart::hasNonNull);

        assertObjects(chartObjects());
    }

    @Test
    void everyValueOfTheChartExistsAndIsUsed() throws IOException {
        JsonNode values = values();
        Set<String> used = new TreeSet<>();
        for (Path file : files(".yaml", ".tpl")) {
            if (file.startsWith(CHART.resolve("templates"))) {
                HelmTemplate template = new HelmTemplate(name(file), text(file));
                template.assertIsBalanced();
                used.addAll(template.valuePaths());
            }
        }

        assertThat(used).hasSizeGreaterThan(30)
                .allSatisfy(path -> assertThat(values.at("/" + path.replace('.', '/')).isMissingNode()).isFalse());
        assertThat(leaves("", values))
                .allSatisfy(leaf -> assertThat(used).anySatisfy(path -> assertThat(leaf + ".").startsWith(path + ".")));
    }

    @Test
    void chartAndManifestsDescribeTheSameServers() throws IOException {
        JsonNode ofManifests = container(find(manifests(), "StatefulSet"));
        JsonNode ofChart = container(find(chartObjects(), "StatefulSet"));

        assertThat(Stream.of("startupProbe", "livenessProbe", "readinessProbe", "ports", "volumeMounts",
                "securityContext", "lifecycle"))
                .allSatisfy(field -> assertThat(ofChart.get(field)).isNotNull().isEqualTo(ofManifests.get(field)));
    }

    @Test
    void everyVariableIsASetting() throws IOException {
        Set<String> settings = Stream.of(Setting.values()).map(Enum::name).collect(Collectors.toSet());
        Map<String, List<String>> variables = variables();

        assertThat(variables).hasSizeGreaterThanOrEqualTo(6)
                .allSatisfy((file, names) -> assertThat(names).as(file).isNotEmpty()
                        .allSatisfy(each -> assertThat(settings.contains(each) || OF_LAUNCHER.contains(each)
                                || each.endsWith("_FILE") && settings.contains(each.substring(0, each.length() - 5)))
                                .as(each).isTrue()));
    }

    /** The OpenAPI document lists every route; a test of the server compares the two. */
    @Test
    void everyPathIsARoute() throws IOException {
        Set<String> routes = new TreeSet<>();
        for (Path file : files(".json")) {
            if (name(file).contains("server/src/main/resources/queen/api/")) {
                routes.addAll(fieldNames(new ObjectMapper().readTree(text(file))));
            }
        }
        List<String> paths = new ArrayList<>();
        for (Path file : files(".yaml", "queen-health")) {
            if (file.startsWith(DEPLOY)) {
                Pattern.compile("(?:path: |GET )(/(?:health|metrics)\\S*)").matcher(text(file)).results()
                        .map(match -> match.group(1)).forEach(paths::add);
            }
        }

        assertThat(paths).contains("/health/live", "/health/ready", "/health/startup", "/metrics/prometheus");
        assertThat(routes).containsAll(paths.stream().map(path -> "GET " + path).toList());
    }

    @Test
    void composeRunsThreeServersWithTheirOwnSpools() throws IOException {
        JsonNode compose = read(DEPLOY.resolve("compose.yaml")).getFirst();
        Set<String> spools = new TreeSet<>();
        int servers = 0;
        for (Map.Entry<String, JsonNode> each : compose.get("services").properties()) {
            if (each.getKey().startsWith("queen-")) {
                servers++;
                assertThat(each.getValue().get("ports").get(0).asText()).startsWith("127.0.0.1:").endsWith(":6632");
                String volume = each.getValue().get("volumes").get(0).asText();
                assertThat(volume).endsWith(":/var/lib/queen");
                spools.add(volume.substring(0, volume.indexOf(':')));
            }
        }
        assertThat(servers).isEqualTo(3);
        assertThat(spools).hasSize(3);
        assertThat(fieldsOf(compose.get("volumes"))).containsAll(spools);
        JsonNode common = compose.get("x-server");
        assertThat(common.get("read_only").asBoolean()).isTrue();
        assertThat(ROOT.resolve(common.at("/build/dockerfile").asText())).exists();
    }

    @Test
    void theContainerRunsWithoutRootAndCopiesExistingFiles() {
        String file = text(DEPLOY.resolve("Containerfile"));

        assertThat(file).contains("ARG BASE=", "FROM ${BASE}", "USER 10001:10001", "VOLUME /var/lib/queen",
                "STOPSIGNAL SIGTERM", "HEALTHCHECK", "CMD [\"serve\"]", "EXPOSE 6632 6633");
        assertThat(Pattern.compile("^COPY (.+) \\S+$", Pattern.MULTILINE).matcher(file).results()
                .flatMap(copy -> Stream.of(copy.group(1).split(" "))).toList()).hasSizeGreaterThan(3)
                .allSatisfy(source -> assertThat(ROOT.resolve(source)).exists());
    }

    @Test
    void theUnitRunsTheLauncherAndWaitsForTheShutdown() {
        Map<String, String> unit = new LinkedHashMap<>();
        for (String line : text(DEPLOY.resolve("systemd/queen.service")).lines().toList()) {
            int equals = line.indexOf('=');
            if (equals > 0 && !line.startsWith("#")) {
                unit.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        assertThat(unit).containsEntry("User", "queen").containsEntry("ExecStart", "/opt/queen/bin/queen serve")
                .containsEntry("KillSignal", "SIGTERM").containsEntry("StateDirectory", "queen")
                .containsEntry("ProtectSystem", "strict").containsEntry("WantedBy", "multi-user.target")
                .containsKeys("Restart", "LimitNOFILE", "Environment", "SuccessExitStatus");
        assertThat(Integer.parseInt(unit.get("TimeoutStopSec")))
                .isGreaterThanOrEqualTo(10 + GRACE_AFTER_SHUTDOWN_SECONDS);
    }

    private static void assertObjects(List<JsonNode> objects) {
        assertThat(objects).allSatisfy(object -> {
            assertThat(object.path("apiVersion").asText()).isNotEmpty();
            assertThat(object.at("/metadata/name").asText()).isNotEmpty();
        });
        assertThat(objects).extracting(object -> object.path("kind").asText()).contains("StatefulSet", "Service",
                "Secret", "ConfigMap", "PodDisruptionBudget", "ServiceMonitor", "ScaledObject");
        JsonNode set = find(objects, "StatefulSet");
        assertThat(set.at("/spec/replicas").asInt()).isEqualTo(3);
        assertThat(find(objects, "PodDisruptionBudget").at("/spec/maxUnavailable").asInt()).isEqualTo(1);
        assertThat(find(objects, "ServiceMonitor").at("/spec/jobLabel").asText()).isEqualTo("app.kubernetes.io/name");
        assertThat(find(objects, "ScaledObject").at("/spec/triggers/0/metadata/query").asText())
                .contains("queen_group_oldest_unread_seconds{queue=\"orders\",group=\"billing\"}");

        JsonNode pod = set.at("/spec/template/spec");
        assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        int graceMillis = find(objects, "ConfigMap").at("/data/SHUTDOWN_GRACE_MS").asInt();
        assertThat(pod.get("terminationGracePeriodSeconds").asInt())
                .isGreaterThanOrEqualTo(graceMillis / 1_000 + GRACE_AFTER_SHUTDOWN_SECONDS);
        JsonNode container = container(set);
        assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(container.at("/livenessProbe/httpGet/path").asText()).isEqualTo("/health/live");
        assertThat(container.at("/readinessProbe/httpGet/path").asText()).isEqualTo("/health/ready");
        assertThat(container.at("/startupProbe/httpGet/path").asText()).isEqualTo("/health/startup");
        assertThat(container.get("ports")).extracting(port -> port.get("containerPort").asInt()).containsExactly(6632,
                6633);
        assertThat(text(ROOT.resolve("docs/reference/configuration.md"))).contains("| `PORT` | `6632` |",
                "| `QUEEN_SYNC_PORT` | `6633` |");
        assertThat(container.get("volumeMounts")).extracting(mount -> mount.get("mountPath").asText())
                .contains("/var/lib/queen", "/tmp");
        assertThat(set.at("/spec/volumeClaimTemplates/0/metadata/name").asText()).isEqualTo("data");
    }

    private static JsonNode container(JsonNode set) {
        return set.at("/spec/template/spec/containers/0");
    }

    private static JsonNode find(List<JsonNode> objects, String kind) {
        return objects.stream().filter(object -> object.path("kind").asText().equals(kind)).findFirst()
                .orElse(MissingNode.getInstance());
    }

    private static List<JsonNode> manifests() throws IOException {
        List<JsonNode> objects = new ArrayList<>();
        for (Path file : files(".yaml")) {
            if (file.startsWith(DEPLOY.resolve("kubernetes")) && !file.endsWith("kustomization.yaml")) {
                objects.addAll(read(file));
            }
        }
        return objects;
    }

    private static List<JsonNode> chartObjects() throws IOException {
        List<JsonNode> objects = new ArrayList<>();
        for (Path file : files(".yaml")) {
            if (file.startsWith(CHART.resolve("templates"))) {
                objects.addAll(parse(new HelmTemplate(name(file), text(file)).render(values())));
            }
        }
        return objects;
    }

    private static JsonNode values() throws IOException {
        return read(CHART.resolve("values.yaml")).getFirst();
    }

    private static List<JsonNode> read(Path file) throws IOException {
        return parse(text(file));
    }

    private static List<JsonNode> parse(String yaml) throws IOException {
        return YAML.readerFor(JsonNode.class).<JsonNode>readValues(yaml).readAll();
    }

    /** Returns the environment variables that each file sets. */
    private static Map<String, List<String>> variables() throws IOException {
        Map<String, List<String>> variables = new LinkedHashMap<>();
        for (Path file : files(".yaml", "Containerfile", "queen.properties", "queen.service")) {
            if (!file.startsWith(DEPLOY)) {
                continue;
            }
            List<String> names = Pattern
                    .compile("(?:^#?|name: |Environment=|ENV |\\s)(" + VARIABLE.pattern() + ")(?:: |=|$)",
                            Pattern.MULTILINE)
                    .matcher(text(file)).results().map((MatchResult match) -> match.group(1))
                    .filter(each -> !each.startsWith("POSTGRES_") && !each.startsWith("AF_")).toList();
            if (!names.isEmpty()) {
                variables.put(name(file), names);
            }
        }
        return variables;
    }

    private static List<String> leaves(String path, JsonNode node) {
        if (!node.isObject() || node.isEmpty()) {
            return List.of(path);
        }
        return node.properties().stream().flatMap(
                each -> leaves(path.isEmpty() ? each.getKey() : path + "." + each.getKey(), each.getValue()).stream())
                .toList();
    }

    private static Set<String> fieldNames(JsonNode node) {
        Set<String> names = new TreeSet<>(fieldsOf(node));
        node.forEach(each -> names.addAll(fieldNames(each)));
        return names;
    }

    private static Set<String> fieldsOf(JsonNode node) {
        return node.properties().stream().map(Map.Entry::getKey).collect(Collectors.toSet());
    }
}
