package io.queenmq.client;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Measures the time without activity. Thread-safe. */
final class IdleTimer {
    private final AtomicInteger busy = new AtomicInteger();
    private volatile long sinceNs = System.nanoTime();

    void enter() {
        busy.incrementAndGet();
    }

    void leave() {
        sinceNs = System.nanoTime();
        busy.decrementAndGet();
    }

    /** Restarts the measurement. */
    void restart() {
        sinceNs = System.nanoTime();
    }

    /** Returns the time without activity; zero during an activity. */
    Duration idleFor() {
        return busy.get() > 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - sinceNs);
    }
}
