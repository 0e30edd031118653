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
 */
record Shell(InputStream in, PrintStream out, PrintStream err, boolean isTerminal, Map<String, String> environment) {
    private static final int BUFFER_BYTES = 8192;

    /** That of this process. */
    static Shell ofProcess() {
        Console console = System.console();
        return new Shell(System.in, stream(FileDescriptor.out), stream(FileDescriptor.err),
                console != null && console.isTerminal(), System.getenv());
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
