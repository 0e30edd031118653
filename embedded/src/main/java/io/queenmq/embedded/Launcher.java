package io.queenmq.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Starts a child process that ends with this process, on Linux even after SIGKILL. */
final class Launcher {
    private Launcher() {}

    /**
     * The kernel sends the parent-death signal when the thread that started the child ends. So a separate thread starts the
     * child and lives as long as it.
     */
    static Process launch(List<String> command, RunAs runAs, Path output) {
        var builder = Commands.builder(boundToUs(command, runAs)).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        var started = new CompletableFuture<Process>();
        Thread.ofPlatform().daemon().name("queen-postgres").start(() -> spawnAndStay(builder, started));
        try {
            return started.join();
        } catch (CompletionException e) {
            var cause = Objects.requireNonNull(e.getCause());
            throw new EmbeddedPostgresException("cannot run " + command.getFirst() + ": " + cause.getMessage(), e);
        }
    }

    private static void spawnAndStay(ProcessBuilder builder, CompletableFuture<Process> started) {
        try {
            var process = builder.start();
            process.getOutputStream().close();
            started.complete(process);
            process.waitFor();
        } catch (IOException | InterruptedException e) {
            started.completeExceptionally(e);
        }
    }

    /**
     * A new session protects the child from Ctrl-C, which would stop the database before the server. The death signal must be set
     * last, because changing the user clears it.
     */
    private static List<String> boundToUs(List<String> command, RunAs runAs) {
        var session = works("setsid") ? List.of("setsid") : List.<String>of();
        var deathSignal = works("setpriv", "--pdeathsig", "INT")
                ? List.of("setpriv", "--pdeathsig", "INT")
                : List.<String>of();
        var inner = new ArrayList<>(deathSignal);
        inner.addAll(command);
        var outer = new ArrayList<>(session);
        outer.addAll(runAs.wrap(inner));
        return outer;
    }

    private static boolean works(String... wrapper) {
        var command = new ArrayList<>(List.of(wrapper));
        command.add("true");
        return Commands.run(command).succeeded();
    }
}
