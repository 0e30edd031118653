package io.queenmq.cli;

import io.queenmq.server.Version;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code queen version}. */
@Command(name = "version", description = "Show the version of this command (queen status shows the version of a server).")
final class VersionCommand implements Runnable {
    @ParentCommand
    private QueenCommand root;

    @Override
    public void run() {
        root.output().done(line(), Map.of("version", version()));
    }

    static String line() {
        return "queen " + version();
    }

    private static String version() {
        return Version.current();
    }
}
