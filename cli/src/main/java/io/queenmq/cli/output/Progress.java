package io.queenmq.cli.output;

import java.io.PrintStream;
import java.util.Objects;

/**
 * How far long work has come: one line that is rewritten, for whoever sees the error output. Elsewhere only what the work
 * waits for is told, in a line of its own, so that nobody hangs without a word. Closing it takes the line away.
 */
public final class Progress implements AutoCloseable {
    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final long EVERY_NS = 100_000_000;

    private final PrintStream err;
    private final boolean isWatched;
    private long shownAtNs = System.nanoTime() - EVERY_NS;
    private boolean isLineOpen;
    private String toldWait;

    public Progress(PrintStream err, boolean isWatched) {
        this.err = err;
        this.isWatched = isWatched;
    }

    public void show(String what) {
        show(what, null);
    }

    /** @param wait why the work does not go on at this moment; null while it does */
    public void show(String what, String wait) {
        String whole = wait == null ? what : what + "; waits: " + wait;
        long now = System.nanoTime();
        if (!isWatched) {
            if (wait != null && !Objects.equals(wait, toldWait)) {
                err.println(whole);
            }
            toldWait = wait;
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
