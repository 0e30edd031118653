package io.queenmq.cli;

import java.io.BufferedOutputStream;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The environment of a command.
 *
 * @param isTerminal true if the standard input and output are a terminal
 * @param isWatched true if the error output is a terminal
 */
record Shell(InputStream in, PrintStream out, PrintStream err, boolean isTerminal, boolean isWatched,
        Map<String, String> environment) {
    private static final int BUFFER_BYTES = 8192;
    /** Set by the launcher, because the JVM cannot test a single stream. */
    private static final String WATCHED_PROPERTY = "queen.watched";

    /** Returns the environment of this process. */
    static Shell ofProcess() {
        Console console = System.console();
        boolean isTerminal = console != null && console.isTerminal();
        return new Shell(System.in, stream(FileDescriptor.out), stream(FileDescriptor.err), isTerminal,
                isTerminal || Boolean.getBoolean(WATCHED_PROPERTY), System.getenv());
    }

    /** Output is always UTF-8, independent of the locale. */
    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new BufferedOutputStream(new FileOutputStream(descriptor), BUFFER_BYTES),
                descriptor == FileDescriptor.err, StandardCharsets.UTF_8);
    }

    /** Implements no-color.org. */
    boolean isColored() {
        return isTerminal && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !"dumb".equals(environment.get("TERM"));
    }
}
