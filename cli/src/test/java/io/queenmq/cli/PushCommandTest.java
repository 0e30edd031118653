package io.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.cli.CliServer.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class PushCommandTest {
    @RegisterExtension
    static final CliServer queen = new CliServer();

    private static final String CLEAR_LINE = "\r\u001b[K";

    private final String queue = CliServer.newQueue();

    @Test
    void headersArePushedAndShown() {
        queen.run("push", queue, "1", "-p", "a", "--transaction-id", "t", "-H", "kind=order", "--header", "note=a=b")
                .ok();

        assertThat(queen.run("messages", "get", queue, "a", "t").ok().out()).contains("kind=order")
                .contains("note=a=b");
        assertThat(queen.run("messages", "list", queue, "-o", "wide").ok().out()).contains("kind=order note=a=b");
        assertThat(queen.run("messages", "list", queue).ok().out()).doesNotContain("kind=order");
        assertThat(queen.run("pop", queue, "-o", "ndjson").ok().out())
                .contains("\"headers\":{\"kind\":\"order\",\"note\":\"a=b\"}");
    }

    @Test
    void anArgumentIsStoredDigitByDigit() {
        queen.run("push", queue, "{\"n\":1.50,\"big\":12345678901234567890}", "-p", "a").ok();

        assertThat(queen.run("pop", queue, "-g", "g", "-o", "ndjson").out())
                .contains("\"data\":{\"n\":1.50,\"big\":12345678901234567890}");
    }

    @Test
    void theSameTransactionIdIsStoredOnce() {
        assertThat(
                queen.run("push", queue, "1", "--transaction-id", "t", "-o", "json").ok().json().get("queued").asInt())
                .isEqualTo(1);

        Ran again = queen.run("push", queue, "1", "--transaction-id", "t");

        assertThat(again.ok().out()).isEqualTo("already stored: t\n");
    }

    @Test
    void pipedLinesArePushedInOrderToThePartitionOfTheirField() {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 1200; i++) {
            lines.append("{\"customer\":{\"id\":\"c").append(i % 3).append("\"},\"i\":").append(i).append("}\n");
        }

        Ran pushed = queen.runWithInput(lines.toString(), "push", queue, "--partition-key", "customer.id",
                "--transaction-key", "i");

        assertThat(pushed.ok().out()).isEqualTo("pushed 1,200 messages\n");
        List<Integer> numbers = new ArrayList<>();
        for (String line : queen.run("pop", queue, "-p", "c1", "-n", "1000", "-o", "ndjson").ok().lines()) {
            numbers.add(new Ran(0, line, "").json().at("/data/i").asInt());
        }
        assertThat(numbers).hasSize(400).isSorted().allMatch(i -> i % 3 == 1);
        assertThat(queen.runWithInput(lines.toString(), "push", queue, "--partition-key", "customer.id",
                "--transaction-key", "i", "-o", "json").json().get("duplicates").asInt()).isEqualTo(1200);
    }

    @Test
    void aFileMayHoldOneValueOverManyLinesOrOneOnEach(@TempDir Path folder) throws IOException {
        Path one = Files.writeString(folder.resolve("one.json"), "{\n  \"a\": 1\n}\n");
        Path many = Files.writeString(folder.resolve("many.json"), "{\"a\":1}\n\n{\"a\":2}");

        assertThat(queen.run("push", queue, "--file", one.toString(), "-o", "json").ok().json().get("queued").asInt())
                .isEqualTo(1);
        assertThat(queen.run("push", queue, "-f", many.toString(), "-o", "json").ok().json().get("queued").asInt())
                .isEqualTo(2);
    }

    @Test
    void textsBecomeStrings() {
        queen.runWithInput("a \"b\"\n", "push", queue, "--text").ok();

        JsonNode message = queen.run("pop", queue, "-o", "json").ok().json().get(0);
        assertThat(message.get("data").asText()).isEqualTo("a \"b\"");
    }

    @Test
    void anErrorNamesItsLineAndTheNumberOfPushedMessages() {
        assertThat(queen.runWithInput("{\"k\":\"a\"}\n{}\n", "push", queue, "--partition-key", "k")).satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.err()).isEqualTo("queen: standard input, line 2 has no field 'k' with a text or a number; "
                    + "0 messages were pushed before the failure\n");
        });
        assertThat(queen.runWithInput("1\nnonsense\n", "push", queue).err())
                .startsWith("queen: standard input, line 2 is not JSON: ");
        assertThat(queen.run("push", queue, "--file", "/no/such/file"))
                .isEqualTo(new Ran(1, "", "queen: there is no file /no/such/file\n"));
        assertThat(queen.run("push", queue, "1", "-p", "a", "--partition-key", "b").code()).isEqualTo(1);
        assertThat(queen.runInTerminal("", "push", queue).code()).isEqualTo(1);
    }

    @Test
    void onlyATerminalShowsTheProgress() {
        String lines = "1\n".repeat(1200);

        assertThat(queen.runWatched(lines, "push", queue).ok()).satisfies(ran -> {
            assertThat(ran.out()).isEqualTo("pushed 1,200 messages\n");
            assertThat(ran.err()).startsWith(CLEAR_LINE + "pushed 500").endsWith(CLEAR_LINE);
        });
        assertThat(queen.runWithInput(lines, "push", queue).ok().err()).isEmpty();
    }

    @Test
    void nothingToPushIsFour() {
        assertThat(queen.runWithInput("\n", "push", queue).code()).isEqualTo(4);
    }
}
