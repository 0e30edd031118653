package io.queenmq.schema;

import java.time.Duration;

/** How long something is tried again and again in all, and the pauses between. */
final class Patience {
    private final Duration total;
    private final long deadlineNs;

    private Patience(Duration total) {
        this.total = total;
        this.deadlineNs = System.nanoTime() + total.toNanos();
    }

    static Patience of(Duration total) {
        return new Patience(total);
    }

    Duration total() {
        return total;
    }

    boolean isOver() {
        return System.nanoTime() - deadlineNs >= 0;
    }

    void pause(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SchemaException("interrupted while waiting for the schema of Queen", e);
        }
    }
}
