package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log and the metrics of a packaged server that has its settings from a file. */
@Needs(Program.PROMTOOL)
class ObservabilityTest {
    @TempDir
    private Path folder;

    @Test
    void everyLogLineIsJsonAndPromtoolAcceptsTheMetrics() throws Exception {
        Path settings = Files.writeString(folder.resolve("queen.properties"),
                "LOG_FORMAT=json\nLOG_LEVEL=warn\nQUEEN_DATA=" + QueenProcess.DATA + "\n");
        try (QueenProcess queen = QueenProcess.start(Map.of("QUEEN_CONFIG", settings.toString()))) {
            assertThat(queen.client().push("orders", "a", List.of("1")).status()).isEqualTo(201);
            queen.client().pop("orders", "a", "g", "batch=1&autoAck=true");
            Await.until("the metrics of the database are there",
                    () -> metrics(queen).contains("queen_queue_depth{queue=\"orders\"}"));
            assertThat(metrics(queen)).contains("queen_queue_pushed_total{queue=\"orders\"} 1",
                    "queen_request_seconds_bucket{op=\"push\"", "queen_delivery_age_seconds_count 1",
                    "queen_jvm_gc_pause_seconds_count", "queen_build_info{version=\"");
            assertThat(problems(metrics(queen, "?names=current"))).isEmpty();
            queen.terminate();
            assertThat(queen.awaitEnd()).isZero();

            ObjectMapper json = new ObjectMapper();
            assertThat(queen.output()).hasSizeGreaterThanOrEqualTo(2).allSatisfy(line -> {
                JsonNode event = json.readTree(line);
                assertThat(event.get("time").asText()).endsWith("Z");
                assertThat(event.get("level").asText()).isNotEmpty();
                assertThat(event.get("message").asText()).isNotEmpty();
            });
            assertThat(json.readTree(queen.output().getLast()).get("message").asText()).isEqualTo("Queen has stopped");
        }
        QueenProcess.awaitNoPostgresIn(QueenProcess.DATA.resolve("postgres"));
    }

    private static String metrics(QueenProcess queen) {
        return metrics(queen, "");
    }

    private static String metrics(QueenProcess queen, String query) {
        try (InputStream response = URI.create(queen.url() + "/metrics/prometheus" + query).toURL().openStream()) {
            return new String(response.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the complaints of promtool. */
    private static String problems(String metrics) throws Exception {
        Process promtool = new ProcessBuilder(Program.PROMTOOL.find().orElseThrow().toString(), "check", "metrics")
                .redirectErrorStream(true).start();
        try (var input = promtool.getOutputStream()) {
            input.write(metrics.getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        promtool.waitFor();
        return output;
    }
}
