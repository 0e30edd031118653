package io.queenmq.cli;

import io.queenmq.client.error.OutcomeUnknownException;
import io.queenmq.client.error.UnavailableException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Repeats calls of a copy while a server does not respond, and shows the reason. */
final class CopyRetries {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final Duration patience;
    private final CopyProgress progress;

    /** @param patience maximum time without progress */
    CopyRetries(Duration patience, CopyProgress progress) {
        this.patience = patience;
        this.progress = progress;
    }

    /**
     * Returns the result of a call.
     *
     * @param server the name of the server, for messages
     */
    <R extends @Nullable Object> R call(String server, Supplier<R> call) {
        return call(server, call, () -> {});
    }

    /** @param whileWaiting called before each repetition */
    <R extends @Nullable Object> R call(String server, Supplier<R> call, Runnable whileWaiting) {
        Wait wait = new Wait();
        while (true) {
            try {
                return call.get();
            } catch (UnavailableException | OutcomeUnknownException e) {
                if (Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                wait.pause(server + ": " + e.getMessage());
            }
            whileWaiting.run();
        }
    }

    Wait newWait() {
        return new Wait();
    }

    /** A wait for progress, with growing pauses. */
    final class Wait {
        private long startedNs = System.nanoTime();
        private Duration pause = FIRST_PAUSE;

        /** Begins again, because there was progress. */
        void restart() {
            startedNs = System.nanoTime();
            pause = FIRST_PAUSE;
        }

        /** @throws CommandFailed if there was no progress for too long */
        void pause(String reason) {
            if (System.nanoTime() - startedNs > patience.toNanos()) {
                throw CommandFailed.byServer(reason + "; run the command again to continue");
            }
            progress.waiting(reason);
            sleep(pause);
            Duration twice = pause.multipliedBy(2);
            pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
        }
    }

    static void sleep(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
