package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import io.queenmq.testkit.PostgresPrograms;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.TestShards;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** The packaged server as a separate process, on a free port. */
final class QueenProcess implements AutoCloseable {
    /** Shared by the test classes of a JVM, because creating a database takes seconds. */
    static final Path DATA = Path.of("target/data-" + ProcessHandle.current().pid()).toAbsolutePath();

    private static final Path JAR = Path.of("../cli/target/queen.jar");
    private static final String READY = "Queen is ready on ";
    private static final Duration STARTED_WITHIN = Duration.ofMinutes(3);
    private static final Duration ENDED_WITHIN = Duration.ofMinutes(2);

    private final Process process;
    private final List<String> output = new CopyOnWriteArrayList<>();
    private final CompletableFuture<String> url = new CompletableFuture<>();
    private final Thread reader;
    private QueenClient client;

    private QueenProcess(Process process) {
        this.process = process;
        this.reader = Thread.ofPlatform().daemon().name("queen-output").start(this::read);
    }

    /**
     * Starts it and returns at once.
     *
     * @param jvmOptions appended last, so they take precedence
     */
    static QueenProcess launch(Map<String, String> settings, String... jvmOptions) {
        return launch(List.of(), settings, jvmOptions);
    }

    /** Starts it as a process that may open so many files, and returns at once. */
    static QueenProcess launchWithDescriptors(int max, Map<String, String> settings) {
        return launch(List.of("sh", "-c", "ulimit -n " + max + " && exec \"$@\"", "sh"), settings);
    }

    private static QueenProcess launch(List<String> wrapper, Map<String, String> settings, String... jvmOptions) {
        assertThat(JAR).as("the packaged server, made by mvnw package").exists();
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-Xmx256m", "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(List.of(jvmOptions));
        command.addAll(List.of("-jar", JAR.toString(), "serve"));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("PG_"));
        builder.environment()
                .putAll(Map.of("PORT", "0", "HOST", "127.0.0.1", "QUEEN_SHARDS", Integer.toString(TestShards.COUNT)));
        builder.environment().putAll(settings);
        if (settings.containsKey("QUEEN_DATA")) {
            PostgresPrograms.linkInto(Path.of(settings.get("QUEEN_DATA"), "postgres"));
        }
        try {
            return new QueenProcess(builder.start());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts it and returns when it accepts requests. */
    static QueenProcess start(Map<String, String> settings, String... jvmOptions) {
        QueenProcess queen = launch(settings, jvmOptions);
        queen.awaitReady();
        return queen;
    }

    void awaitReady() {
        try {
            client = new QueenClient(url.get(STARTED_WITHIN.toSeconds(), TimeUnit.SECONDS));
        } catch (Exception e) {
            close();
            throw new AssertionError("Queen did not start:\n" + String.join("\n", output), e);
        }
    }

    private void read() {
        try (var lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.add(line);
                int ready = line.indexOf(READY);
                if (ready >= 0) {
                    url.complete(line.substring(ready + READY.length()).split(",")[0]);
                }
            }
        } catch (IOException _) {
            // It was killed.
        }
        url.completeExceptionally(new IllegalStateException("the process has ended"));
    }

    QueenClient client() {
        return client;
    }

    String url() {
        return url.join();
    }

    List<String> output() {
        return output;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void killHard() {
        process.toHandle().destroyForcibly();
        awaitEnd();
    }

    /** SIGTERM, by the handle, because the process itself would close the pipe that brings its last words. */
    void terminate() {
        process.toHandle().destroy();
    }

    /** @param name a signal, for example STOP, which suspends the process until CONT */
    void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
            assertThat(kill.waitFor()).isZero();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    int awaitEnd() {
        try {
            assertThat(process.waitFor(ENDED_WITHIN.toSeconds(), TimeUnit.SECONDS))
                    .as("the process has ended:\n%s", String.join("\n", output)).isTrue();
            reader.join();
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Ends it without asking, if it still runs. */
    @Override
    public void close() {
        process.destroyForcibly();
        if (client != null) {
            client.close();
        }
    }

    /** All processes of the PostgreSQL that works on this data directory: they all work in it. */
    static List<ProcessHandle> postgresOf(Path home) {
        Path data = home.resolve("pgdata");
        return ProcessHandle.allProcesses().filter(each -> {
            try {
                return Path.of("/proc", Long.toString(each.pid()), "cwd").toRealPath().equals(data.toRealPath());
            } catch (IOException _) {
                return false;
            }
        }).toList();
    }

    static void awaitNoPostgresIn(Path home) {
        Await.until("no PostgreSQL is left in " + home, () -> postgresOf(home).isEmpty());
    }

    static void pause(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static String lastLineOf(Path log) {
        try {
            return Files.readAllLines(log).getLast();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
