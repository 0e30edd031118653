package io.queenmq.client;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Knows for how long nothing has been done. Safe from any thread. */
final class IdleWatch {
    private final AtomicInteger busy = new AtomicInteger();
    private volatile long sinceNs = System.nanoTime();

    void enter() {
        busy.incrementAndGet();
    }

    void leave() {
        sinceNs = System.nanoTime();
        busy.decrementAndGet();
    }

    /** There is something to wait for. */
    void restart() {
        sinceNs = System.nanoTime();
    }

    /** Zero while something is done. */
    Duration idleFor() {
        return busy.get() > 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - sinceNs);
    }
}
