package io.queenmq.spring;

import java.util.function.BooleanSupplier;

/** Waits for a condition. */
final class Await {
    private Await() {}

    static void until(BooleanSupplier condition) {
        long endNs = System.nanoTime() + Seen.PATIENCE_S * 1_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError("the condition did not become true in time");
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
