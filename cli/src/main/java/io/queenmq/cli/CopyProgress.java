package io.queenmq.cli;

import io.queenmq.cli.output.Output;
import io.queenmq.cli.output.Progress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Shows the progress of a copy: on a terminal all the time, otherwise one line every few seconds and the reason of each wait. */
final class CopyProgress {
    private static final long PRINT_INTERVAL_NS = Duration.ofSeconds(10).toNanos();

    private final Progress progress;
    private final Output output;
    private final long startedNs = System.nanoTime();
    private long printedNs = startedNs;
    private long copied;
    private String queue = "";

    CopyProgress(Progress progress, Output output) {
        this.progress = progress;
        this.output = output;
    }

    /** Adds messages that the target has and the source has finished. */
    void add(String queue, long messages) {
        this.queue = queue;
        copied += messages;
        progress.show(text());
        long now = System.nanoTime();
        if (!progress.isWatched() && now - printedNs > PRINT_INTERVAL_NS) {
            printedNs = now;
            output.aside(text());
        }
    }

    /** @param reason why the copy waits; null at the end of the wait */
    void waiting(@Nullable String reason) {
        progress.show(text(), reason);
    }

    private String text() {
        double seconds = Math.max(0.001, (System.nanoTime() - startedNs) / 1e9);
        return String.format("copied %,d messages, %,.0f per second%s", copied, copied / seconds,
                queue.isEmpty() ? "" : ", now " + queue);
    }

    /** Removes the line of a terminal. */
    void end() {
        progress.close();
    }
}
