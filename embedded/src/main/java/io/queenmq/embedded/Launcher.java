package io.queenmq.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Starts a child that ends when this process does, even by SIGKILL, where the system can do that. */
final class Launcher {
    private Launcher() {}

    /**
     * The kernel sends the parent-death signal when the thread that spawned the child ends, so a thread of its own
     * does that and stays as long as the child.
     */
    static Process launch(List<String> command, RunAs runAs, Path output) {
        var builder = Commands.builder(boundToUs(command, runAs))
                .redirectErrorStream(true)
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
     * A session of its own keeps the child away from Ctrl-C, which would stop the database before the server is done
     * with it. The death signal comes last: changing the user clears it.
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
