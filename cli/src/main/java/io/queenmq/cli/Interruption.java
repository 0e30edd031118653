package io.queenmq.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ctrl-C, told to the thread that works, which gets a moment to tidy up before the process ends. */
final class Interruption implements AutoCloseable {
    private static final Duration TIDY_MAX = Duration.ofSeconds(3);

    private final Thread worker = Thread.currentThread();
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::onExit, "queen-interruption");
    private volatile boolean isAsked;

    private Interruption() {}

    static Interruption ofThisThread() {
        Interruption interruption = new Interruption();
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    /** Whether the process is about to end. */
    boolean isAsked() {
        return isAsked;
    }

    /** What was interrupted has ended; what tidies up is not to be interrupted again. */
    void passed() {
        Thread.interrupted();
    }

    private void onExit() {
        isAsked = true;
        worker.interrupt();
        try {
            done.await(TIDY_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        done.countDown();
        if (!isAsked) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // It is ending just now.
            }
        }
    }
}
