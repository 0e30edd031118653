package io.queenmq.verify.load;

import java.time.Duration;
import java.util.Random;

/** One process of the workload: repeats its step until it is stopped. Owned by its thread, except for the flag. */
abstract class Worker implements Runnable, AutoCloseable {
    protected final Session session;
    protected final Requests requests;
    protected final Random random;
    private volatile boolean isStopped;

    Worker(Session session, long seed) {
        this.session = session;
        this.requests = new Requests(session);
        this.random = new Random(seed ^ session.process().hashCode());
    }

    /** Executes the next step of this process. */
    protected abstract void step();

    @Override
    public final void run() {
        try (session) {
            while (!isStopped) {
                step();
            }
        }
    }

    void stop() {
        isStopped = true;
    }

    protected final boolean isStopped() {
        return isStopped;
    }

    protected final boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** Waits, but not longer than until this process is stopped. */
    protected final void pause(Duration duration) {
        long until = System.nanoTime() + duration.toNanos();
        try {
            for (long left = duration.toMillis(); left > 0
                    && !isStopped; left = (until - System.nanoTime()) / 1_000_000) {
                Thread.sleep(Math.min(left, 100));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            isStopped = true;
        }
    }

    @Override
    public void close() {
        stop();
    }
}
