package io.queenmq.schema;

import java.time.Duration;

/** The deadline of a series of attempts, and the pauses between them. */
final class Deadline {
    private final Duration total;
    private final long deadlineNs;

    private Deadline(Duration total) {
        this.total = total;
        this.deadlineNs = System.nanoTime() + total.toNanos();
    }

    static Deadline of(Duration total) {
        return new Deadline(total);
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
