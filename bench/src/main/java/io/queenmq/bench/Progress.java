package io.queenmq.bench;

import java.io.Console;
import java.io.PrintStream;

/** Shows progress: on a terminal in one line that is rewritten, otherwise one line per event. */
final class Progress {
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final PrintStream out;
    private final boolean isTerminal;
    private boolean isLineOpen;

    Progress(PrintStream out, boolean isTerminal) {
        this.out = out;
        this.isTerminal = isTerminal;
    }

    static Progress toUser() {
        Console console = System.console();
        return new Progress(System.err, console != null && console.isTerminal());
    }

    /** Shows the begin of a phase. */
    void event(String what) {
        if (isTerminal) {
            out.print(CLEAR_LINE + what);
            out.flush();
            isLineOpen = true;
        } else {
            out.println(what);
        }
    }

    /** Updates the current phase, only on a terminal. */
    void update(String what) {
        if (isTerminal) {
            event(what);
        }
    }

    /** Removes the line from the terminal. */
    void end() {
        if (isLineOpen) {
            out.print(CLEAR_LINE);
            out.flush();
            isLineOpen = false;
        }
    }
}
