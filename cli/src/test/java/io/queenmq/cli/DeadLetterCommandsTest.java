package io.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.cli.CliServer.Ran;
import io.queenmq.testkit.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DeadLetterCommandsTest {
    @RegisterExtension
    static final CliServer queen = new CliServer();

    private final String queue = CliServer.newQueue();

    @BeforeEach
    void kill() {
        queen.runWithInput("{\"i\":1}\n{\"i\":2}\n", "push", queue, "-p", "a", "--transaction-key", "i").ok();
        String popped = queen.run("pop", queue, "-g", "g", "-n", "2", "-o", "ndjson").ok().out();
        queen.runWithInput(popped, "ack", "--file", "-", "--status", "dlq", "--error", "no such customer").ok();
    }

    @Test
    void deadLettersAreListedCountedAndDescribed() {
        assertThat(queen.run("dlq", "list", queue, "-o", "json").ok().json()).hasSize(2);
        assertThat(queen.run("dlq", "list", queue, "--error", "timeout", "-o", "json").ok().json()).isEmpty();
        assertThat(queen.run("dlq", "list", queue, "--by-error", "-o", "json").ok().json()).singleElement()
                .satisfies(each -> assertThat(each.get("count").asInt()).isEqualTo(2));
        assertThat(queen.run("dlq", "describe", queue, "a", "1", "-g", "g").ok().out()).contains("no such customer",
                "{\"i\":1}");
        assertThat(queen.run("dlq", "describe", queue, "a", "9").code()).isEqualTo(4);
    }

    @Test
    void aRedrivePrintsTheNumberOfRedrivenMessages() {
        assertThat(queen.run("dlq", "redrive", queue, "--dry-run").ok().out())
                .isEqualTo("2 dead letters would be pushed again\n");
        assertThat(queen.run("dlq", "list", queue, "-o", "json").json()).hasSize(2);

        JsonNode redrive = queen.run("dlq", "redrive", queue, "--error", "CUSTOMER", "-o", "json").ok().json();

        assertThat(redrive.get("redriven").asInt()).isEqualTo(2);
        assertThat(queen.run("pop", queue, "-g", "g", "-n", "5", "--wait", "10s", "-o", "json").ok().json()).hasSize(2);
        assertThat(queen.run("dlq", "redrive", queue).code()).isEqualTo(4);
        assertThat(queen.run("dlq", "redrive").code()).isEqualTo(1);
    }

    @Test
    void aRedriveKeepsItsRateAndShowsItsProgress() throws Exception {
        Ran ran = queen.runInTerminal("", "dlq", "redrive", queue, "--rate", "1", "-o", "json");

        assertThat(ran.ok().err()).startsWith("\r\u001b[Kredriven ").contains(" of 2").endsWith("\r\u001b[K");
        assertThat(ran.json().get("redriven").asInt()).isEqualTo(2);
        JsonNode redrive = redrive(ran.json().get("id").asText());
        assertThat(redrive.get("ratePerSecond").asInt()).isEqualTo(1);
        assertThat(redrive.get("status").asText()).isEqualTo("finished");
        assertThat(Duration.between(Instant.parse(redrive.get("createdAt").asText()),
                Instant.parse(redrive.get("finishedAt").asText()))).isGreaterThan(Duration.ofMillis(900));
    }

    @Test
    void aRedriveContinuesWithoutTheCommand() throws Exception {
        JsonNode begun = queen.run("dlq", "redrive", queue, "--rate", "1", "--detach", "-o", "json").ok().json();

        assertThat(begun.get("status").asText()).isEqualTo("running");
        assertThat(begun.get("total").asInt()).isEqualTo(2);
        Await.until("the redrive is over",
                () -> redrive(begun.get("id").asText()).get("status").asText().equals("finished"));
        assertThat(queen.run("dlq", "list", queue, "-o", "json").ok().json()).isEmpty();
        assertThat(queen.run("pop", queue, "-g", "g", "-n", "5", "-o", "json").ok().json()).hasSize(2);
    }

    @Test
    void aRedriveAcceptsALimitAndATargetQueue() {
        queen.run("dlq", "redrive", queue, "--limit", "1", "--to-queue", queue + "-late", "--to-partition", "z").ok();

        assertThat(queen.run("dlq", "list", queue, "-o", "json").ok().json()).hasSize(1);
        assertThat(queen.run("pop", queue + "-late", "-p", "z", "-n", "5", "-o", "json").ok().json()).hasSize(1);
    }

    @Test
    void aWaitingRedrivePrintsItsReasonAlsoWithoutATerminal() throws Exception {
        String waits = "redriven 0 of 2; waits: pushes are switched off for maintenance\n";
        queen.run("maintenance", "close", "push", "--yes").ok();
        CliServer.Running redriving;
        try {
            redriving = queen.start("dlq", "redrive", queue);
            Await.until("the redrive prints the reason of its wait", () -> redriving.err().equals(waits));
        } finally {
            queen.run("maintenance", "open", "push").ok();
        }

        Ran ran = redriving.end().get(2, TimeUnit.MINUTES).ok();

        assertThat(ran.err()).as("printed once").isEqualTo(waits);
        assertThat(ran.out()).contains("finished");
    }

    @Test
    void aDeadLetterThatCannotBePushedIsAnErrorWithTheReason() {
        queen.database().everywhere("update dead_letter set line = convert_to('{}', 'UTF8') where transaction_id = '1'"
                + " and queue_id = (select id from queen.queue where name = ?)", queue);

        Ran ran = queen.run("dlq", "redrive", queue);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("1 could not be pushed and stay dead letters", "cannot be opened");
    }

    private static JsonNode redrive(String id) {
        try (InputStream answer = URI.create(queen.url() + "/api/v1/dlq/redrives/" + id).toURL().openStream()) {
            return new Ran(0, new String(answer.readAllBytes(), StandardCharsets.UTF_8), "").json();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aPurgeIsConfirmed() {
        assertThat(queen.run("dlq", "purge", queue)).satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.err()).startsWith("queen: Delete 2 dead letters of " + queue + " permanently?");
        });
        assertThat(queen.run("dlq", "purge", queue, "--yes").ok().out()).isEqualTo("deleted 2 dead letters\n");
        assertThat(queen.run("dlq", "purge", queue, "--yes").code()).isEqualTo(4);
    }
}
