package io.queenmq.cli.output;

import java.io.PrintStream;

/** How far long work has come: one line that is rewritten, for whoever sees the error output, and nothing elsewhere. Closing it takes the line away. */
public final class Progress implements AutoCloseable {
    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final long EVERY_NS = 100_000_000;

    private final PrintStream err;
    private final boolean isWatched;
    private long shownAtNs = System.nanoTime() - EVERY_NS;
    private boolean isLineOpen;

    public Progress(PrintStream err, boolean isWatched) {
        this.err = err;
        this.isWatched = isWatched;
    }

    public void show(String what) {
        long now = System.nanoTime();
        if (isWatched && now - shownAtNs >= EVERY_NS) {
            err.print(CLEAR_LINE + what);
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
