package io.queenmq.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Forwards Ctrl-C to the thread of the command, and delays the end of the process until the thread has cleaned up. */
final class Interruption implements AutoCloseable {
    private static final Duration CLEANUP_MAX = Duration.ofSeconds(3);

    private final Thread worker = Thread.currentThread();
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::onExit, "queen-interruption");
    private volatile boolean isRequested;

    private Interruption() {}

    static Interruption ofThisThread() {
        Interruption interruption = new Interruption();
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    /** Returns true if the process is ending. */
    boolean isRequested() {
        return isRequested;
    }

    /** Clears the interrupt of this thread, so that the cleanup is not interrupted. */
    void clear() {
        Thread.interrupted();
    }

    private void onExit() {
        isRequested = true;
        worker.interrupt();
        try {
            done.await(CLEANUP_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        done.countDown();
        if (!isRequested) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The process is ending.
            }
        }
    }
}
