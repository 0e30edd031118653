package io.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.cli.CliServer.Ran;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code pop}, {@code ack} and {@code tx}. */
class PopAndAckTest {
    @RegisterExtension
    static final CliServer queen = new CliServer();

    private final String queue = CliServer.newQueue();

    @BeforeEach
    void push() {
        queen.runWithInput("{\"i\":1}\n{\"i\":2}\n{\"i\":3}\n", "push", queue, "-p", "partition", "--transaction-key",
                "i").ok();
    }

    @Test
    void nothingThereIsFour() {
        assertThat(queen.run("pop", "never-pushed", "-g", "g")).isEqualTo(new Ran(4, "", "queen: no messages for g\n"));
    }

    @Test
    void theTableHasTheMostImportantColumns() {
        assertThat(queen.run("pop", queue, "-g", "g", "-n", "2").ok().lines()).satisfiesExactly(
                titles -> assertThat(titles).matches("TRANSACTION ID +PARTITION +RETRY COUNT +CREATED AT +QUEUE +DATA"),
                first -> assertThat(first).matches("1 +partition +0 +\\d+\\w+ ago +\\S+ +\\{\"i\":1}"),
                second -> assertThat(second).startsWith("2"));
    }

    @Test
    void withAckMessagesAreFinishedAfterTheyWerePrinted() {
        for (String wanted : new String[]{"1", "2", "3"}) {
            assertThat(queen.run("pop", queue, "-g", "g", "--ack", "-o", "json").ok().json().get(0).get("transactionId")
                    .asText()).isEqualTo(wanted);
        }
        assertThat(queen.run("pop", queue, "-g", "g", "--ack").code()).isEqualTo(4);
    }

    @Test
    void unreadOutputIsNotAcknowledged() {
        PrintStream closed = new PrintStream(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        });
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        int code = Main.run(new Shell(InputStream.nullInputStream(), closed, new PrintStream(err, true), false, false,
                Map.of("QUEEN_URL", queen.url())), "pop", queue, "-g", "g", "--ack");

        assertThat(code).isZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(queen.run("partition", "explain", queue, "partition", "-g", "g", "-o", "json").json().get("pending")
                .asInt()).isEqualTo(3);
    }

    @Test
    void ackAcceptsTheOutputOfPop(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("work"),
                queen.run("pop", queue, "-g", "g", "-n", "2", "-o", "ndjson").ok().out());

        assertThat(queen.run("ack", "--file", file.toString()).ok().out()).isEqualTo("2 messages finished\n");

        assertThat(queen.run("pop", queue, "-g", "g", "-o", "json").json().get(0).get("transactionId").asText())
                .isEqualTo("3");
    }

    @Test
    void aLeaseThatIsOverIsRefused() {
        String popped = queen.run("pop", queue, "-g", "g", "-o", "ndjson").ok().out();
        queen.run("partition", "seek", queue, "partition", "-g", "g", "--to", "beginning", "--yes").ok();

        assertThat(queen.runWithInput(popped, "ack", "--file", "-")).satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.err()).startsWith("queen: 1 refused: ").hasLineCount(1);
        });
    }

    @Test
    void aJsonArrayIsAccepted() {
        String popped = queen.run("pop", queue, "-g", "g", "-n", "3", "-o", "json").ok().out();

        assertThat(queen.runWithInput(popped, "ack", "--file", "-", "-o", "json").ok().json().get("accepted").asInt())
                .isEqualTo(3);
    }

    @Test
    void oneMessageCanFailOrBeDeadLettered() {
        queen.run("queue", "configure", queue, "retryDelay=0").ok();
        JsonNode first = queen.run("pop", queue, "-g", "g", "-o", "json").ok().json().get(0);
        queen.run("ack", "1", "--partition-id", first.get("partitionId").asText(), "--lease",
                first.get("leaseId").asText(), "-g", "g", "--status", "failed", "--error", "no stock").ok();

        JsonNode again = queen.run("pop", queue, "-g", "g", "--wait", "10s", "-o", "json").ok().json().get(0);

        assertThat(again.get("retryCount").asInt()).isEqualTo(1);
        assertThat(queen
                .run("ack", "1", "--partition-id", again.get("partitionId").asText(), "--lease",
                        again.get("leaseId").asText(), "-g", "g", "-s", "dlq", "--error", "no hope", "-o", "json")
                .ok().json().get("deadLettered").asInt()).isEqualTo(1);
        assertThat(queen.run("dlq", "list", queue, "-o", "json").json().get(0).get("error").asText())
                .isEqualTo("no hope");
    }

    @Test
    void anAckWithoutAMessageIsRejected() {
        assertThat(queen.run("ack", "1").code()).isEqualTo(1);
        assertThat(queen.runWithInput("{\"transactionId\":\"1\"}", "ack", "--file", "-").err())
                .isEqualTo("queen: standard input, line 1 has no partitionId; use the output of queen pop -o ndjson\n");
        assertThat(queen.runWithInput("", "ack", "--file", "-").code()).isEqualTo(4);
    }

    @Test
    void aTransactionFinishesAndPushesOrDoesNeither() {
        String popped = queen.run("pop", queue, "-g", "g", "-o", "ndjson").ok().out();

        Ran first = queen.runWithInput(popped, "tx", "--ack", "-", "--push", queue + "-next/a={\"n\":1.0}");
        Ran second = queen.runWithInput(popped, "tx", "--ack", "-", "--push", queue + "-next/a={\"n\":2}");

        assertThat(first.ok().out()).isEqualTo("finished 1, pushed 1\n");
        assertThat(second.code()).isEqualTo(1);
        assertThat(second.err()).startsWith("queen: nothing was done: ");
        assertThat(queen.run("pop", queue + "-next", "-p", "a", "-n", "10", "-o", "ndjson").ok().lines())
                .singleElement().asString().contains("\"data\":{\"n\":1.0}");
        assertThat(queen.run("pop", queue, "-g", "g", "-o", "json").json().get(0).get("transactionId").asText())
                .isEqualTo("2");
    }

    @Test
    void aTransactionPushesFromAFile() {
        String pushes = "{\"queue\":\"" + queue
                + "-b\",\"partition\":\"p\",\"transactionId\":\"x\",\"payload\":{\"v\":1.10}}\n";

        assertThat(queen.runWithInput(pushes, "tx", "--push-file", "-", "-o", "json").ok().json()
                .at("/pushed/0/transactionId").asText()).isEqualTo("x");
        assertThat(queen.run("pop", queue + "-b", "-o", "ndjson").out()).contains("{\"v\":1.10}");
        assertThat(queen.run("tx").code()).isEqualTo(4);
        assertThat(queen.run("tx", "--push", "nonsense").code()).isEqualTo(1);
    }
}
