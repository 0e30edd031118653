package io.queenmq.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server as a child process: same jar, same options of the JVM, its own data in a new folder, any free port, and the
 * embedded PostgreSQL. All are removed when it is closed, or when this process ends.
 */
final class OwnServer implements AutoCloseable {
    /** The main class of the server. A name instead of a class, because the Maven module cli depends on this one. */
    private static final String MAIN = "io.queenmq.server.Main";
    private static final String READY = "Queen is ready on ";
    private static final Duration READY_MAX = Duration.ofMinutes(2);
    private static final Duration STOP_MAX = Duration.ofSeconds(30);
    private static final int LINES_KEPT = 20;

    private final Path folder;
    private final Process process;
    private final Thread closeAtExit = new Thread(this::onExit, "queen-bench-stop");
    private final CompletableFuture<Integer> port = new CompletableFuture<>();
    private final Deque<String> lastLines = new ArrayDeque<>();
    private volatile boolean isEnding;

    private OwnServer(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
        Runtime.getRuntime().addShutdownHook(closeAtExit);
        Thread.ofPlatform().daemon().name("queen-bench-output").start(this::read);
    }

    /**
     * Returns when it accepts requests.
     *
     * @param parent parent of the new folder: must be a real disk, which determines the speed of commits
     */
    static OwnServer start(Path parent) {
        try {
            Path folder = Files.createTempDirectory(parent, "queen-bench-");
            // PostgreSQL does not run as root, and another user must be able to reach its data.
            folder.toFile().setExecutable(true, false);
            OwnServer server = new OwnServer(folder, launch(folder));
            server.awaitReady();
            return server;
        } catch (IOException e) {
            throw new BenchAbortedException("a server cannot be started in " + parent + ": " + e.getMessage(), e);
        }
    }

    private static Process launch(Path folder) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN, "serve"));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        var environment = builder.environment();
        // A database in these variables may be in production, so they are removed.
        environment.keySet().removeIf(name -> name.startsWith("PG_"));
        environment.put("HOST", "127.0.0.1");
        environment.put("PORT", "0");
        environment.put("QUEEN_DATA", folder.toString());
        environment.put("LOG_LEVEL", "warn");
        return builder.start();
    }

    private void awaitReady() {
        try {
            port.get(READY_MAX.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            close();
            throw new BenchAbortedException("the server did not start:\n" + output(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            throw new BenchAbortedException("interrupted while the server was starting", e);
        }
    }

    private void read() {
        try (var lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                keep(line);
                int ready = line.indexOf(READY);
                if (ready >= 0) {
                    String url = line.substring(ready + READY.length()).split(",")[0];
                    port.complete(Integer.parseInt(url.substring(url.lastIndexOf(':') + 1)));
                }
            }
        } catch (IOException _) {
            // The process has ended.
        }
        port.completeExceptionally(new IOException("the process has ended"));
    }

    private synchronized void keep(String line) {
        lastLines.addLast(line);
        if (lastLines.size() > LINES_KEPT) {
            lastLines.removeFirst();
        }
    }

    /** Returns the last lines of its output, for errors. */
    synchronized String output() {
        return String.join("\n", lastLines);
    }

    int port() {
        return port.join();
    }

    long pid() {
        return process.pid();
    }

    /** Returns the home directory of its PostgreSQL. */
    Path postgresHome() {
        return folder.resolve("postgres");
    }

    /** Returns true if the server ends because this process is ending. Results are invalid then. */
    boolean isEnding() {
        return isEnding;
    }

    private void onExit() {
        isEnding = true;
        stopAndDelete();
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(closeAtExit);
        } catch (IllegalStateException _) {
            return; // this process is ending, and the hook closes the server
        }
        stopAndDelete();
    }

    private void stopAndDelete() {
        process.toHandle().destroy();
        try {
            if (!process.waitFor(STOP_MAX.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            delete();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + folder, e);
        }
    }

    private void delete() throws IOException {
        List<Path> deepestFirst;
        try (var paths = Files.walk(folder)) {
            deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }
}
