package io.queenmq.testkit;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for results that arrive later. Tests must not assert such a result immediately, nor sleep for a fixed time: the first
 * fails on a busy machine, the second wastes time on a fast one.
 */
public final class Await {
    /** Longer than a busy machine needs for any awaited result. */
    public static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

    private Await() {}

    /** Returns when the condition is true. Fails if it is not true within {@link #PATIENCE}. */
    public static void until(BooleanSupplier condition) {
        until(() -> "the awaited condition", condition);
    }

    /**
     * Waits for a condition.
     *
     * @param what describes the condition in the failure
     */
    public static void until(String what, BooleanSupplier condition) {
        until(() -> what, condition);
    }

    /**
     * Waits for a condition.
     *
     * @param what describes the condition in the failure, with evidence that is collected only then
     */
    public static void until(Supplier<String> what, BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        // Pauses leave CPU time to the servers under test; growing pauses keep short waits short.
        Duration pause = FIRST_PAUSE;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("not true within " + PATIENCE.toSeconds() + " s: " + what.get());
            }
            sleep(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    private static void sleep(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting", e);
        }
    }
}
