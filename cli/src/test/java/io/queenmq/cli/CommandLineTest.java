package io.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.cli.CliServer.Ran;
import java.io.InputStream;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that need no server. */
class CommandLineTest {
    @Test
    void withoutArgumentsThereIsShortHelpWithExamples() {
        assertThat(run()).satisfies(ran -> {
            assertThat(ran.code()).isZero();
            assertThat(ran.out()).contains("Examples:", "queen push orders", "Exit codes:").doesNotContain("\u001b");
            assertThat(ran.err()).isEmpty();
        });
        assertThat(run("--help").out()).isEqualTo(run().out());
    }

    @Test
    void theFormerNameOfACommandWorksAndIsNotShown() {
        assertThat(run("lane", "list", "--help").out()).contains("--deepest");
        assertThat(run("-o", "json", "lane", "list", "--help").out()).contains("--deepest");
        assertThat(run("--help").out()).contains("partition").doesNotContain("lane");
        assertThat(run("completion", "bash").out()).contains("partition").doesNotContain("lane");
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "bench", "verify", "push", "pop", "tail", "ack", "tx", "replay", "queue",
        "queue list", "queue describe", "queue configure", "queue delete", "queue stats", "queue pause", "queue resume",
        "partition", "partition list", "partition describe", "partition explain", "partition seek", "partition skip",
        "partition pause", "partition resume", "group", "group list", "group describe", "group lag", "group seek",
        "group delete", "messages", "messages list", "messages get", "messages delete", "dlq", "dlq list",
        "dlq describe", "dlq redrive", "dlq purge", "traces", "status", "lag", "shards", "apply", "maintenance",
        "spool", "keys", "keys encryption", "spool status", "spool refused", "spool retry", "spool drop", "config",
        "completion", "version", "licenses"})
    void everyCommandHasHelp(String command) {
        String[] words = (command + " --help").split(" ");

        assertThat(run(words)).satisfies(ran -> {
            assertThat(ran.code()).isZero();
            assertThat(ran.out()).startsWith("Usage: queen " + command);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "queue", "queue nonsense", "pop --nonsense", "queue list -o nonsense",
        "pop q --wait soon", "push", "serve now", "lag --min 5", "messages list --since yesterday", "queue configure"})
    void aMistakeIsOneLineAndCodeOne(String command) {
        assertThat(run(command.split(" "))).satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.out()).isEmpty();
            assertThat(ran.err()).startsWith("queen: ").hasLineCount(1).doesNotContain("Exception", "\tat ");
        });
    }

    @Test
    void aServerThatIsNotThereIsCodeTwo() {
        assertThat(run("queue", "list"))
                .isEqualTo(new Ran(2, "", "queen: no response from http://127.0.0.1:1; is it running?\n"));
        assertThat(run("status", "--url", "nonsense").code()).isEqualTo(1);
    }

    @Test
    void theVersionIsShown() {
        assertThat(run("version").out()).startsWith("queen ");
        assertThat(run("--version").out()).isEqualTo(run("version").out());
        assertThat(run("version", "-o", "json").json().has("version")).isTrue();
    }

    @Test
    void completionContainsEveryCommand() {
        assertThat(run("completion", "bash").ok().out()).contains("redrive", "--partition-key", "complete -F");
        assertThat(run("completion", "zsh").ok().out()).contains("bashcompinit");
        assertThat(run("completion", "fish").code()).isEqualTo(1);
    }

    private static Ran run(String... args) {
        return CliServer.run(InputStream.nullInputStream(), false,
                Map.of("QUEEN_URL", "http://127.0.0.1:1", "XDG_CONFIG_HOME", "target/no-config"), args);
    }
}
