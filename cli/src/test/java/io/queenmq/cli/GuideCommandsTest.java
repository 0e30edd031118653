package io.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.queenmq.cli.CliServer.Ran;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command in the documents exists with its options, and is executed as it is written, block by block. */
class GuideCommandsTest {
    private static final Path ROOT = Path.of("..");
    private static final Path FILES = ROOT.resolve("examples/src/main/shell");
    private static final String INDENT = "    ";

    @RegisterExtension
    static final CliServer queen = new CliServer(
            Map.of("SPOOL_ENABLED", "true", "SPOOL_DIR", "target/spool-of-guide-" + ProcessHandle.current().pid()));

    @TempDir
    private Path folder;

    static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(
                List.of(ROOT.resolve("README.md"), ROOT.resolve("docs/monitoring/README.md")));
        try (Stream<Path> guides = Files.list(ROOT.resolve("docs/guide"))) {
            guides.sorted().forEach(pages::add);
        }
        return pages;
    }

    static Stream<ShellLine> commands() throws IOException {
        List<ShellLine> commands = new ArrayList<>();
        for (Path page : pages()) {
            blocks(page).forEach(commands::addAll);
        }
        return commands.stream();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandInTheDocumentsExistsWithItsOptions(ShellLine command) {
        QueenCommand root = new QueenCommand(
                new Shell(InputStream.nullInputStream(), System.out, System.err, false, false, Map.of()));
        String[] words = command.words().toArray(String[]::new);

        assertThatCode(() -> CommandTree.enoughFor(words, root).parseArgs(words)).doesNotThrowAnyException();
    }

    @BeforeEach
    void copyFiles() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            for (Path each : files.toList()) {
                Files.copy(each, folder.resolve(each.getFileName()));
            }
        }
        Files.writeString(folder.resolve("token"), "a token\n");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyCommandWorks(Path page) throws IOException {
        for (List<ShellLine> block : blocks(page)) {
            List<ShellLine> runnable = block.stream().filter(GuideCommandsTest::canRun).toList();
            if (!runnable.isEmpty()) {
                prepare();
            }
            for (ShellLine command : runnable) {
                refillFor(command, block);
                Ran ran = run(command);
                assertThat(ran.code()).as("%s: %s", command, ran.err()).isEqualTo(expectedCode(command));
            }
        }
    }

    @Test
    void mostCommandsAreExecuted() throws IOException {
        assertThat(commands().filter(GuideCommandsTest::canRun)).hasSizeGreaterThan(90);
    }

    /**
     * Returns false for commands that run until they are ended, that contain ids of another example, that need another server, or
     * that need the packaged jar. Other tests run these.
     */
    private static boolean canRun(ShellLine command) {
        return !command.startsWith("tail", "-f") && !command.startsWith("serve") && !command.startsWith("bench")
                && !command.startsWith("verify") && !command.startsWith("licenses")
                && !command.startsWith("tokens", "restore") && !command.words().contains("ID")
                && !command.startsWith("copy") && !command.startsWith("--url");
    }

    private static int expectedCode(ShellLine command) {
        // The dead letters of the example are recent.
        return command.startsWith("dlq", "purge") ? ExitCode.NOTHING : ExitCode.OK;
    }

    /** Restores the queue with the objects that the guide mentions, regardless of earlier commands. */
    private void prepare() {
        queen.run("maintenance", "open", "push").ok();
        run("config", "set", "staging", "--url", queen.url()).ok();
        queen.run("push", "orders", "{}", "-p", "customer-42", "--transaction-id", "order-1").ok();
        queen.run("push", "orders", "{}", "-p", "customer-42", "--transaction-id", "order-7").ok();
        queen.runWithInput("{}\n".repeat(30), "push", "orders", "-p", "customer-42").ok();
        queen.post("/streams/v1/queries",
                "{\"name\":\"per-minute\",\"source_queue\":\"orders\",\"config_hash\":\"1\"}");
        queen.run("queue", "resume", "orders").ok();
        queen.run("partition", "resume", "orders", "customer-42").ok();
        queen.run("group", "resume", "billing", "orders").ok();
        queen.run("pop", "orders", "-p", "customer-42", "-g", "billing");
        queen.run("group", "seek", "billing", "orders", "--to", "beginning", "--yes").ok();
        String first = queen.run("pop", "orders", "-p", "customer-42", "-g", "billing", "-o", "ndjson").ok().out();
        queen.runWithInput(first, "ack", "--file", "-", "--status", "dlq", "--error", "timeout").ok();
    }

    /** Restores messages that an earlier command of the block has finished. */
    private void refillFor(ShellLine command, List<ShellLine> block) throws IOException {
        for (ShellLine each : block) {
            if (each.output() != null && command.words().contains(each.output())) {
                queen.run("group", "seek", "billing", "orders", "--to", "beginning", "--yes").ok();
                assertThat(run(each).code()).isEqualTo(ExitCode.OK);
            }
        }
    }

    private Ran run(ShellLine command) throws IOException {
        String[] words = command.words().stream().map(this::inFolder).toArray(String[]::new);
        Ran ran;
        if (command.input() != null) {
            ran = run(Files.readString(folder.resolve(command.input())), false, words);
        } else if (command.isPiped()) {
            ran = run("a line\n", false, words);
        } else {
            ran = run("y\n", command.output() == null, words);
        }
        if (command.output() != null) {
            Files.writeString(folder.resolve(command.output()), ran.out());
        }
        return ran;
    }

    private String inFolder(String word) {
        Path file = folder.resolve(word.replace('/', '_'));
        return Files.exists(file) ? file.toString() : word;
    }

    private Ran run(String... words) {
        return run("", false, words);
    }

    private Ran run(String input, boolean isTerminal, String... words) {
        return CliServer.run(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), isTerminal,
                Map.of("QUEEN_URL", queen.url(), "XDG_CONFIG_HOME", folder.toString()), words);
    }

    /** The commands of each piece of indented text. */
    private static List<List<ShellLine>> blocks(Path page) throws IOException {
        List<List<ShellLine>> blocks = new ArrayList<>(List.of(new ArrayList<>()));
        for (String line : Files.readAllLines(page)) {
            Optional<ShellLine> command = line.startsWith(INDENT) ? ShellLine.read(line.strip()) : Optional.empty();
            if (command.isPresent()) {
                blocks.getLast().add(command.get());
            } else if (!blocks.getLast().isEmpty()) {
                blocks.add(new ArrayList<>());
            }
        }
        return blocks;
    }
}
