package io.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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
    void theyAreListedCountedAndDescribed() {
        assertThat(queen.run("dlq", "list", queue, "-o", "json").ok().json()).hasSize(2);
        assertThat(queen.run("dlq", "list", queue, "--error", "timeout", "-o", "json").ok().json()).isEmpty();
        assertThat(queen.run("dlq", "list", queue, "--by-error", "-o", "json").ok().json()).singleElement()
                .satisfies(each -> assertThat(each.get("count").asInt()).isEqualTo(2));
        assertThat(queen.run("dlq", "describe", queue, "a", "1", "-g", "g").ok().out()).contains("no such customer",
                "{\"i\":1}");
        assertThat(queen.run("dlq", "describe", queue, "a", "9").code()).isEqualTo(1);
    }

    @Test
    void aRedriveBringsThemBackAndSaysHowMany() {
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
    void aPurgeIsConfirmed() {
        assertThat(queen.run("dlq", "purge", queue)).satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.err()).startsWith("queen: Delete 2 dead letters of " + queue + " for good?");
        });
        assertThat(queen.run("dlq", "purge", queue, "--yes").ok().out()).isEqualTo("deleted 2 dead letters\n");
        assertThat(queen.run("dlq", "purge", queue, "--yes").code()).isEqualTo(4);
    }
}
