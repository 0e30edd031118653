package io.queenmq.verify.load;

import java.util.concurrent.atomic.AtomicLong;

/** The number of deliveries so far and the time of the last one, from which the end of the drain is determined. Thread-safe. */
final class Deliveries {
    private final AtomicLong lastNs = new AtomicLong(System.nanoTime());
    private volatile boolean isDraining;

    void count() {
        lastNs.set(System.nanoTime());
    }

    long nanosSinceLast() {
        return System.nanoTime() - lastNs.get();
    }

    /** Consumers no longer fail, crash or hold leases too long. */
    void startDraining() {
        isDraining = true;
        count();
    }

    boolean isDraining() {
        return isDraining;
    }
}
