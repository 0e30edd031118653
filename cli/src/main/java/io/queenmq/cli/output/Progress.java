package io.queenmq.cli.output;

import java.io.PrintStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of a long operation. On a terminal it is one line, which is rewritten and removed at the end. Otherwise only
 * the reason of a wait is printed, once in a line of its own, so that a command never waits without a message.
 */
public final class Progress implements AutoCloseable {
    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final long EVERY_NS = 100_000_000;

    private final PrintStream err;
    private final boolean isWatched;
    private long shownAtNs = System.nanoTime() - EVERY_NS;
    private boolean isLineOpen;
    private @Nullable String printedWait;

    public Progress(PrintStream err, boolean isWatched) {
        this.err = err;
        this.isWatched = isWatched;
    }

    /** Returns true if the line is visible to a user. */
    public boolean isWatched() {
        return isWatched;
    }

    public void show(String what) {
        show(what, null);
    }

    /** @param wait reason why the operation waits, or null */
    public void show(String what, @Nullable String wait) {
        String whole = wait == null ? what : what + "; waits: " + wait;
        long now = System.nanoTime();
        if (!isWatched) {
            if (wait != null && !Objects.equals(wait, printedWait)) {
                err.println(whole);
            }
            printedWait = wait;
        } else if (now - shownAtNs >= EVERY_NS) {
            err.print(CLEAR_LINE + whole);
            err.flush();
            shownAtNs = now;
            isLineOpen = true;
        }
    }

    @Override
    public void close() {
        if (isLineOpen) {
            err.print(CLEAR_LINE);
            err.flush();
            isLineOpen = false;
        }
    }
}
