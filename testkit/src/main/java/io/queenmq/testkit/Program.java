package io.queenmq.testkit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** A program that tests need and that is not part of the build. Test classes declare it with {@link Needs}. */
public enum Program {
    /** The browser for tests of the dashboard. */
    CHROMIUM("chromium"),
    /** Runs the commands in the documents. */
    CURL("curl"),
    /** Tests the alert rules. */
    PROMTOOL("promtool", "prometheus"),
    /** The terminal for tests of the command line. */
    TMUX("tmux");

    private final String command;
    private final String debianPackage;

    Program(String command) {
        this(command, command);
    }

    Program(String command, String debianPackage) {
        this.command = command;
        this.debianPackage = debianPackage;
    }

    public String command() {
        return command;
    }

    /** Returns the name of the Debian package that contains the program. */
    public String debianPackage() {
        return debianPackage;
    }

    /** Returns the path of the program, or empty if it is not installed. */
    public Optional<Path> find() {
        return find(command);
    }

    static Optional<Path> find(String command) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator)).map(folder -> Path.of(folder, command))
                .filter(Files::isExecutable).findFirst();
    }
}
