package io.queenmq.bench;

import java.io.Console;
import java.io.PrintStream;

/** Tells the user what is going on: in one line that is rewritten on a terminal, in a line per event elsewhere. */
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

    /** Something new begins. */
    void event(String what) {
        if (isTerminal) {
            out.print(CLEAR_LINE + what);
            out.flush();
            isLineOpen = true;
        } else {
            out.println(what);
        }
    }

    /** The same goes on; not worth a line of its own. */
    void update(String what) {
        if (isTerminal) {
            event(what);
        }
    }

    /** Leaves the terminal as it was. */
    void end() {
        if (isLineOpen) {
            out.print(CLEAR_LINE);
            out.flush();
            isLineOpen = false;
        }
    }
}
