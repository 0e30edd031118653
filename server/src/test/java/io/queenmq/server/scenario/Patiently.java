package io.queenmq.server.scenario;

import java.util.function.BooleanSupplier;

/** Waits for what must come true sooner or later. */
final class Patiently {
    private Patiently() {}

    static void until(BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + QueenClient.PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadlineNs) {
                throw new AssertionError("it did not come true within " + QueenClient.PATIENCE.toSeconds() + " s");
            }
            Thread.yield();
        }
    }
}
