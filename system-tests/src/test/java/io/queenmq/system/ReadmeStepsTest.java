package io.queenmq.system;

import static io.queenmq.system.Repository.ROOT;
import static io.queenmq.system.Repository.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.FreePort;
import io.queenmq.testkit.PostgresPrograms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The steps in the README lead to a pushed and popped message. The environment only selects a free port and a folder for the data. */
@EnabledOnOs(OS.LINUX)
class ReadmeStepsTest {
    private static final Path WORK = Path.of("target/readme-" + ProcessHandle.current().pid()).toAbsolutePath();
    private static final String READY = "Queen is ready on ";
    private static final int READY_WITHIN_S = 240;

    @Test
    void theStepsFromARelease() throws Exception {
        Path folder = Files.createDirectories(WORK.resolve("release"));
        String built = run(ROOT, Map.of("JAVA_HOME", System.getProperty("java.home"), "PATH", System.getenv("PATH")),
                "cp -al cli/target/lib cli/target/queen.jar " + folder + "; build/release.sh 0.0.1 " + folder);
        assertThat(built.lines().toList().getLast()).endsWith(".tar.gz");

        perform("From a release", folder, folder.resolve("queen-0.0.1-linux-" + architecture()),
                Map.of("PATH", withoutJava(folder).toString()));
    }

    @Test
    void theStepsFromAClone() throws Exception {
        // The launcher does not create the optional cache, which takes long, if it finds an empty one.
        Path cache = ROOT.resolve("cli/target/queen-server.aot");
        boolean isMissing = Files.notExists(cache);
        if (isMissing) {
            Files.createFile(cache);
        }
        try {
            perform("From a clone", ROOT, ROOT,
                    Map.of("PATH", System.getenv("PATH"), "JAVA_HOME", System.getProperty("java.home")));
        } finally {
            if (isMissing) {
                Files.delete(cache);
            }
        }
    }

    /**
     * Performs the steps of a section.
     *
     * @param first the directory of the first step
     * @param second the directory of the steps in the other terminal
     */
    private static void perform(String title, Path first, Path second, Map<String, String> variables) throws Exception {
        List<List<String>> blocks = blocks(title);
        assertThat(blocks).as("the server, and the commands in another terminal").hasSize(2);
        Path data = WORK.resolve(title.replace(' ', '-')).resolve("data");
        PostgresPrograms.linkInto(Files.createDirectories(data).resolve("postgres"));
        int port = FreePort.choose();
        Map<String, String> environment = new HashMap<>(variables);
        environment.putAll(Map.of("PORT", Integer.toString(port), "HOST", "127.0.0.1", "QUEEN_DATA", data.toString(),
                "QUEEN_URL", "http://127.0.0.1:" + port, "HOME", WORK.toString()));

        Process server = start(first, environment, String.join("\n", blocks.getFirst()));
        try {
            awaitReady(server);
            List<String> outputs = new ArrayList<>();
            for (String step : blocks.getLast()) {
                outputs.add(run(second, environment, step));
            }
            assertThat(outputs.getFirst()).contains("pushed ");
            assertThat(outputs.getLast()).contains("{\"total\":10}");
        } finally {
            List<ProcessHandle> children = server.descendants().toList();
            children.forEach(ProcessHandle::destroy);
            server.destroy();
            for (ProcessHandle each : children) {
                each.onExit().get(2, TimeUnit.MINUTES);
            }
        }
    }

    /** Returns the indented commands of a section of the README, in blocks. */
    private static List<List<String>> blocks(String title) {
        Matcher section = Pattern.compile("### " + title + "\n(.*?)\n##", Pattern.DOTALL)
                .matcher(text(ROOT.resolve("README.md")));
        assertThat(section.find()).as("README.md has the section " + title).isTrue();
        List<List<String>> blocks = new ArrayList<>();
        boolean isInside = false;
        for (String line : section.group(1).lines().toList()) {
            boolean isCommand = line.startsWith("    ");
            if (isCommand && !isInside) {
                blocks.add(new ArrayList<>());
            }
            if (isCommand) {
                blocks.getLast().add(line.strip());
            }
            isInside = isCommand;
        }
        return blocks;
    }

    private static void awaitReady(Process server) throws Exception {
        CompletableFuture<Boolean> isReady = new CompletableFuture<>();
        List<String> output = new ArrayList<>();
        Thread.ofPlatform().daemon().start(() -> {
            try (var lines = server.inputReader()) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    output.add(line);
                    if (line.contains(READY)) {
                        isReady.complete(true);
                    }
                }
            } catch (IOException _) {
                // The server was ended.
            }
            isReady.complete(false);
        });
        assertThat(isReady.get(READY_WITHIN_S, TimeUnit.SECONDS)).as(String.join("\n", output)).isTrue();
    }

    private static String architecture() {
        return System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
    }

    /** Returns a folder with all programs of the system except those of Java. */
    private static Path withoutJava(Path folder) throws IOException {
        Path programs = Files.createDirectories(folder.resolve("programs"));
        for (Path directory : List.of(Path.of("/bin"), Path.of("/usr/bin"), Path.of("/usr/sbin"))) {
            try (Stream<Path> all = Files.list(directory)) {
                for (Path program : all.filter(each -> !each.getFileName().toString().startsWith("java")).toList()) {
                    Path link = programs.resolve(program.getFileName());
                    if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
                        Files.createSymbolicLink(link, program);
                    }
                }
            }
        }
        return programs;
    }

    private static Process start(Path directory, Map<String, String> environment, String script) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-ec", script).directory(directory.toFile())
                .redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Returns the output of commands, which must succeed. */
    private static String run(Path directory, Map<String, String> environment, String script) throws Exception {
        Process process = start(directory, environment, script);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s\n%s", script, output).isZero();
        return output;
    }
}
