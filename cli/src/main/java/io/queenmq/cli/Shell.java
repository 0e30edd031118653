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
 * What surrounds a command.
 *
 * @param isTerminal whether somebody sits there, for input and output
 * @param isWatched whether somebody sees the error output, wherever the others come from and go to
 */
record Shell(InputStream in, PrintStream out, PrintStream err, boolean isTerminal, boolean isWatched,
        Map<String, String> environment) {
    private static final int BUFFER_BYTES = 8192;
    /** The JVM cannot tell; the launcher can. */
    private static final String WATCHED_PROPERTY = "queen.watched";

    /** That of this process. */
    static Shell ofProcess() {
        Console console = System.console();
        boolean isTerminal = console != null && console.isTerminal();
        return new Shell(System.in, stream(FileDescriptor.out), stream(FileDescriptor.err), isTerminal,
                isTerminal || Boolean.getBoolean(WATCHED_PROPERTY), System.getenv());
    }

    /** Payloads and names are written as UTF-8, whatever the locale says. */
    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new BufferedOutputStream(new FileOutputStream(descriptor), BUFFER_BYTES),
                descriptor == FileDescriptor.err, StandardCharsets.UTF_8);
    }

    /** See no-color.org. */
    boolean isColoured() {
        return isTerminal && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !"dumb".equals(environment.get("TERM"));
    }
}
