package io.queenmq.cli;

import picocli.CommandLine.Command;

/** {@code queen serve}: runs the server in this process. */
@Command(name = "serve", description = {"Run the server.",
    "Environment variables configure it; see docs/reference/configuration.md. Without PG_HOST it brings its own "
            + "PostgreSQL, whose data stays in ./queen-data."})
final class ServeCommand implements Runnable {
    @Override
    public void run() {
        throw CommandFailed.byUser("serve takes no options; environment variables configure it");
    }
}
