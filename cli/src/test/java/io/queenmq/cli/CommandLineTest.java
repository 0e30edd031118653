package io.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.cli.CliServer.Ran;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
        assertThat(complete("")).contains("partition").doesNotContain("lane", "__complete");
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "bench", "verify", "push", "pop", "tail", "ack", "tx", "replay", "queue",
        "queue list", "queue describe", "queue configure", "queue delete", "queue stats", "queue pause", "queue resume",
        "partition", "partition list", "partition describe", "partition explain", "partition seek", "partition skip",
        "partition pause", "partition resume", "group", "group list", "group describe", "group lag", "group seek",
        "group delete", "messages", "messages list", "messages get", "messages delete", "dlq", "dlq list",
        "dlq describe", "dlq redrive", "dlq purge", "traces", "status", "doctor", "log-level", "lag", "shards", "apply",
        "maintenance", "spool", "keys", "keys encryption", "spool status", "spool refused", "spool retry", "spool drop",
        "config", "completion", "version", "licenses"})
    void everyCommandHasHelp(String command) {
        String[] words = (command + " --help").split(" ");

        assertThat(run(words)).satisfies(ran -> {
            assertThat(ran.code()).isZero();
            assertThat(ran.out()).startsWith("Usage: queen " + command);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "queue", "queue nonsense", "pop --nonsense", "queue list -o nonsense",
        "queue configure q", "doctor now", "pop q --wait soon", "push", "serve now", "lag --min 5",
        "messages list --since yesterday", "queue configure"})
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
        assertThat(run("completion", "bash").ok().out()).contains("complete -o default -F _queen queen");
        assertThat(run("completion", "zsh").ok().out()).contains("compdef _queen queen");
        assertThat(run("completion", "fish").ok().out()).contains("complete -c queen");
        assertThat(complete("p")).containsExactly("partition", "pop", "push");
        assertThat(complete("dlq", "")).contains("redrive", "purge");
        assertThat(complete("push", "orders", "--partition-k")).containsExactly("--partition-key");
        assertThat(complete("queue", "list", "-o", "")).contains("table", "ndjson");
        assertThat(complete("completion", "")).containsExactly("bash", "fish", "zsh");
        assertThat(complete("pop", "")).as("without a server").isEmpty();
        assertThat(complete("nonsense", "")).isEmpty();
    }

    private static List<String> complete(String... words) {
        List<String> all = new ArrayList<>(List.of("__complete", "--"));
        all.addAll(List.of(words));
        return run(all.toArray(String[]::new)).ok().lines();
    }

    @Test
    void mistakesInTheUrlAreReported() {
        for (String url : List.of("localhost:6632", "ftp://x", "http://", "http://a b", "http://x:99999", "http://x:0",
                "http://me:secret@x", "http://x?y=1")) {
            assertThat(run("queue", "list", "--url", url)).satisfies(ran -> {
                assertThat(ran.code()).as(url).isEqualTo(1);
                assertThat(ran.err()).startsWith("queen: \"" + url + "\" in --url ")
                        .endsWith("; use a URL such as http://localhost:6632\n");
            });
        }
    }

    @Test
    void theHelpOfServeDescribesEverySetting() {
        assertThat(run("serve", "--help").ok().out()).contains("LOG_FORMAT", "--config=FILE",
                "HTTP_MAX_CONNECTIONS_PER_ADDRESS", "OIDC_AUDIENCE", "default: 6632").doesNotContain("`");
        assertThat(run("serve", "--port", "1").code()).isEqualTo(1);
    }

    @Test
    void configPrintsTheEffectiveSettingsWithoutSecrets(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("queen.properties"), "PORT=7000\nQUEEN_SYNC_SECRET=hush\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

        Ran ran = run("config", "--changed", "--file", file.toString(), "-o", "ndjson").ok();

        assertThat(ran.lines()).containsExactly("{\"setting\":\"PORT\",\"value\":\"7000\",\"source\":\"" + file + "\"}",
                "{\"setting\":\"QUEEN_SYNC_SECRET\",\"value\":\"********\",\"source\":\"" + file + "\"}");
        Files.writeString(file, "PORT=nothing\n");
        assertThat(run("config", "--file", file.toString())).satisfies(wrong -> {
            assertThat(wrong.code()).isEqualTo(1);
            assertThat(wrong.err()).contains("PORT must be 0 to 65535");
        });
    }

    @Test
    void doctorStatesWhatToDo(@TempDir Path folder) {
        Ran ran = CliServer.run(InputStream.nullInputStream(), false, Map.of("PG_HOST", "127.0.0.1", "PG_PORT", "1",
                "QUEEN_DATA", folder.toString(), "PORT", "0", "XDG_CONFIG_HOME", "target/no-config"), "doctor");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).containsPattern("PostgreSQL +problem").contains("start PostgreSQL")
                .containsPattern("disk +ok");
    }

    private static Ran run(String... args) {
        return CliServer.run(InputStream.nullInputStream(), false,
                Map.of("QUEEN_URL", "http://127.0.0.1:1", "XDG_CONFIG_HOME", "target/no-config"), args);
    }
}
