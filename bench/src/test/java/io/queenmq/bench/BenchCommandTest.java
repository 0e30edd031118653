package io.queenmq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exit code, table, file and error messages of the command. */
class BenchCommandTest {
    private final PrintStream systemOut = System.out;
    private final PrintStream systemErr = System.err;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final FakeServer server = new FakeServer();

    @TempDir
    Path folder;

    @BeforeEach
    void listen() {
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void stop() {
        System.setOut(systemOut);
        System.setErr(systemErr);
        server.close();
    }

    @Test
    void aRunWithoutErrorsIsATableAndAFile() throws IOException {
        assertThat(run("3", "a,d")).isZero();

        assertThat(text(out).lines()).hasSize(4).first().asString().contains("msg/s", "PostgreSQL µs/msg", "errors");
        assertThat(text(out).lines().skip(1).findFirst()).hasValueSatisfying(
                line -> assertThat(line).startsWith("a ").contains("push 1 a request").contains("–").endsWith(" 0"));
        assertThat(text(err).lines()).contains("a (push 1 a request): measuring");
        JsonNode report = new ObjectMapper().readTree(folder.resolve("bench.json").toFile());
        assertThat(report.at("/versions/queen").asText()).isEqualTo("fake");
        assertThat(report.at("/machine/cores").asInt()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(report.at("/scenarios/1/scenario").asText()).isEqualTo("d");
        assertThat(report.at("/scenarios/1/messages").asLong()).isPositive();
        assertThat(report.at("/scenarios/1/commitsPerMessage").isNull()).isTrue();
        assertThat(report.at("/scenarios/1/errors").asLong()).isZero();
    }

    @Test
    void queuesAreDeletedAfterEachScenario() throws IOException {
        assertThat(run("1", "a,h")).isZero();

        assertThat(server.count("/api/v1/resources/queues/bench-")).isEqualTo(1 + 5);
    }

    @Test
    void errorsAreShownAndMakeTheCodeOne() throws IOException {
        server.spoil("/pop/", 2, FakeServer.Answer::swapped);

        assertThat(run("1", "e")).isEqualTo(1);

        assertThat(text(out)).containsPattern("e: partition \\d+: message \\d+ was delivered instead of \\d+");
        assertThat(Files.readString(folder.resolve("bench.json"))).contains("was delivered instead of");
    }

    @Test
    void anUnreachableServerIsReported() {
        server.close();

        assertThat(run("1", "a")).isEqualTo(1);

        assertThat(text(err)).contains("queen bench: no answer from " + server.url());
    }

    @Test
    void wrongOptionsMakeTheCodeTwo() {
        assertThat(BenchCommand.run("--scenario", "x")).isEqualTo(2);

        assertThat(text(err)).startsWith("queen bench: there is no scenario \"x\"").contains("See queen bench --help.");
        assertThat(text(out)).isEmpty();
    }

    @Test
    void helpNamesEveryScenario() {
        assertThat(BenchCommand.run("--help")).isZero();

        Scenario.names().forEach(name -> assertThat(text(out)).containsPattern("(?m)^ +" + name + " {2,3}\\w"));
    }

    private int run(String seconds, String scenarios) {
        return BenchCommand.run("--quick", "--seconds", seconds, "--scenario", scenarios, "--url", server.url(),
                "--json", folder.resolve("bench.json").toString());
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
