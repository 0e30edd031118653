package io.queenmq.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs short commands of the operating system. */
final class Commands {
    private static final int SECONDS_MAX = 120;

    private Commands() {}

    static Result run(List<String> command) {
        try {
            var process = builder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            var output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new Result(-1, command.getFirst() + " did not end within " + SECONDS_MAX + " s");
            }
            return new Result(process.exitValue(), output);
        } catch (IOException e) {
            return new Result(-1, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedPostgresException("interrupted while running " + command.getFirst(), e);
        }
    }

    /** Returns a builder without the environment variables that configure PostgreSQL's programs. */
    static ProcessBuilder builder(List<String> command) {
        var builder = new ProcessBuilder(command);
        var environment = builder.environment();
        environment.keySet().removeIf(key -> key.startsWith("PG") || key.startsWith("LC_"));
        environment.put("LC_ALL", "C");
        return builder;
    }

    record Result(int exitCode, String output) {
        boolean succeeded() {
            return exitCode == 0;
        }
    }
}
