package io.queenmq.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code queen version}. */
@Command(name = "version", description = "Show the version of this command, not of a server (see queen status).")
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

    /** As the build wrote it into the jar. */
    private static String version() {
        String version = VersionCommand.class.getPackage().getImplementationVersion();
        return version == null ? "unpackaged" : version;
    }
}
