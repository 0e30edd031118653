package io.queenmq.testkit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** A program that tests use and the build does not bring along. Test classes name it in {@link Needs}. */
public enum Program {
    /** Shows the dashboard. */
    CHROMIUM("chromium"),
    /** The terminal in which the command line is used. */
    TMUX("tmux");

    private final String command;

    Program(String command) {
        this.command = command;
    }

    /** Its name, which is also that of its package in Debian. */
    public String command() {
        return command;
    }

    /** Where it is, if it is there. */
    public Optional<Path> find() {
        return find(command);
    }

    static Optional<Path> find(String command) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, command)).filter(Files::isExecutable).findFirst();
    }
}
