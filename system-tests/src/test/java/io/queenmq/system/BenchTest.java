package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.queenmq.bench.BenchCommand;
import io.queenmq.embedded.RunningPostgres;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.TestShards;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The command {@code bench} of the packaged jar with tiny numbers: that it works and cleans up, not how fast. */
class BenchTest {
    private static final Path FOLDER = Path.of("target/bench").toAbsolutePath();
    private static final Path REPORT = FOLDER.resolve("report.json");
    private static final Path JAR = Path.of("../cli/target/queen.jar").toAbsolutePath().normalize();
    private static final long ENDED_WITHIN_S = 120;

    @BeforeEach
    void makeFolder() throws IOException {
        Files.createDirectories(FOLDER);
        Files.deleteIfExists(REPORT);
    }

    @Test
    void everyScenarioRunsOnAServerThatIsRemovedAfterwards() throws Exception {
        Process bench = launch("--quick", "--seconds", "2", "--json", "report.json");
        List<String> output = bench.inputReader().lines().toList();

        assertThat(bench.waitFor(ENDED_WITHIN_S, TimeUnit.SECONDS)).isTrue();
        assertThat(bench.exitValue()).as(String.join("\n", output)).isZero();
        JsonNode report = new ObjectMapper().readTree(REPORT.toFile());
        assertThat(report.get("ownServer").asBoolean()).isTrue();
        assertThat(report.at("/versions/postgres").asText()).startsWith("18.");
        assertThat(report.at("/scenarios").findValuesAsText("scenario")).containsExactly("a", "b", "c", "d", "e", "f",
                "g2", "h");
        for (JsonNode each : report.at("/scenarios")) {
            JsonNode scenario = each.get("messages").asLong() > 0 ? each : longer(each.get("scenario").asText());
            assertThat(scenario.get("messages").asLong()).as(scenario.toString()).isPositive();
            assertThat(scenario.get("errors").asLong()).as(scenario.toString()).isZero();
            assertThat(scenario.get("serverCpuMicrosPerMessage").asDouble()).as(scenario.toString()).isPositive();
            assertThat(scenario.get("postgresCpuMicrosPerMessage").isNumber()).as(scenario.toString()).isTrue();
            assertThat(scenario.get("commitsPerMessage").isNumber()).as(scenario.toString()).isTrue();
        }
        assertNothingIsLeft();
    }

    /** Long enough that a disk that blocks for two seconds does not leave a run without results. */
    private static JsonNode longer(String scenario) throws Exception {
        Process bench = launch("--quick", "--scenario", scenario, "--seconds", "30", "--json", "report.json");
        List<String> output = bench.inputReader().lines().toList();
        assertThat(bench.waitFor()).as(String.join("\n", output)).isZero();
        return new ObjectMapper().readTree(REPORT.toFile()).at("/scenarios/0");
    }

    @Test
    void anInterruptedRunLeavesNoFiles() throws Exception {
        Process bench = launch("--scenario", "a", "--seconds", "600", "--warmup", "0");
        try (var lines = bench.inputReader()) {
            String line = lines.readLine();
            while (line != null && !line.endsWith("measuring")) {
                line = lines.readLine();
            }
            assertThat(line).isEqualTo("a (push 1 a request): measuring");
            List<ProcessHandle> children = bench.descendants().toList();
            assertThat(children).isNotEmpty();

            bench.toHandle().destroy();

            assertThat(bench.waitFor(ENDED_WITHIN_S, TimeUnit.SECONDS)).isTrue();
            Await.until("no process is left", () -> children.stream().noneMatch(ProcessHandle::isAlive));
        }
        assertNothingIsLeft();
    }

    @Test
    void aServerThatRunsAlreadyIsMeasuredAndLeftAsItWas() throws Exception {
        try (QueenProcess queen = QueenProcess.start(Map.of("QUEEN_DATA", QueenProcess.DATA.toString()))) {
            int code = BenchCommand.run("--quick", "--seconds", "2", "--scenario", "a,d,h", "--url", queen.url(),
                    "--json", REPORT.toString());

            assertThat(code).isZero();
            JsonNode report = new ObjectMapper().readTree(REPORT.toFile());
            assertThat(report.get("ownServer").asBoolean()).isFalse();
            for (JsonNode scenario : report.at("/scenarios")) {
                assertThat(scenario.get("serverCpuMicrosPerMessage").isNumber()).as(scenario.toString()).isTrue();
                assertThat(scenario.get("postgresCpuMicrosPerMessage").isNumber()).as(scenario.toString()).isTrue();
                assertThat(scenario.get("commitsPerMessage").isNumber()).as(scenario.toString()).isTrue();
            }
            assertThat(queuesOfBenchIn(QueenProcess.DATA.resolve("postgres"))).isZero();
            assertThat(queen.isAlive()).isTrue();
            queen.terminate();
            queen.awaitEnd();
        }
        QueenProcess.awaitNoPostgresIn(QueenProcess.DATA.resolve("postgres"));
    }

    @Test
    void wrongOptionsMakeTheCodeTwo() throws Exception {
        Process bench = launch("--scenario", "nonsense");

        assertThat(bench.inputReader().lines()).containsExactly("queen bench: there is no scenario \"nonsense\"; "
                + "there are a, b, c, d, e, f, g2, h. See queen bench --help.");
        assertThat(bench.waitFor()).isEqualTo(2);
    }

    private static Process launch(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1", "-Xmx256m", "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow", "-jar", JAR.toString(), "bench"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(FOLDER.toFile()).redirectErrorStream(true);
        // The server that it starts has its environment.
        builder.environment().put("QUEEN_SHARDS", Integer.toString(TestShards.COUNT));
        return builder.start();
    }

    private static void assertNothingIsLeft() throws IOException {
        try (var files = Files.list(FOLDER)) {
            assertThat(files.filter(file -> !file.equals(REPORT))).isEmpty();
        }
    }

    private static long queuesOfBenchIn(Path home) throws SQLException {
        RunningPostgres postgres = RunningPostgres.find(home).orElseThrow();
        String url = "jdbc:postgresql://" + postgres.host() + ":" + postgres.port() + "/" + postgres.database();
        try (var connection = DriverManager.getConnection(url, postgres.user(), postgres.password());
                var statement = connection.createStatement();
                var rows = statement
                        .executeQuery("select count(*) from queen.queue where starts_with(name, 'bench-')")) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
