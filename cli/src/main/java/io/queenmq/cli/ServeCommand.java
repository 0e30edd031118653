package io.queenmq.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code queen serve}: runs the server in this process. {@link Main} starts it; this class has the help. */
@Command(name = "serve", description = {"Run the server.",
    "Environment variables and a file configure it. Without PG_HOST it starts its own PostgreSQL, whose data stays in "
            + "./queen-data."})
final class ServeCommand implements Runnable {
    @Option(names = "--config", paramLabel = "FILE", description = "Read settings from this file, one NAME=value per line (QUEEN_CONFIG; default: queen.properties in the "
            + "working directory, if it exists). Environment variables override it.")
    private @Nullable String config;

    @Override
    public void run() {
        throw CommandFailed.byUser("serve accepts only --config FILE; `queen serve --help` describes all settings");
    }
}
