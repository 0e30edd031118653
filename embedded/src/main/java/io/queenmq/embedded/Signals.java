package io.queenmq.embedded;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops a postmaster. */
final class Signals {
    private static final Logger log = LoggerFactory.getLogger(Signals.class);
    private static final Duration FAST_SHUTDOWN_MAX = Duration.ofSeconds(30);
    private static final Duration IMMEDIATE_SHUTDOWN_MAX = Duration.ofSeconds(10);

    private Signals() {}

    /** Requests a fast shutdown, then an immediate one, then kills the process. The WAL makes all three safe. */
    static void stop(ProcessHandle postmaster) {
        send("INT", postmaster);
        if (hasEnded(postmaster, FAST_SHUTDOWN_MAX)) {
            return;
        }
        log.warn("PostgreSQL (pid {}) did not shut down in {} s; stopping it at once", postmaster.pid(),
                FAST_SHUTDOWN_MAX.toSeconds());
        send("QUIT", postmaster);
        if (!hasEnded(postmaster, IMMEDIATE_SHUTDOWN_MAX)) {
            postmaster.destroyForcibly();
            hasEnded(postmaster, IMMEDIATE_SHUTDOWN_MAX);
        }
    }

    /** Uses the shell, because Java only sends SIGTERM, on which PostgreSQL waits for clients to disconnect. */
    private static void send(String signal, ProcessHandle process) {
        var result = Commands.run(List.of("sh", "-c", "kill -s " + signal + " " + process.pid()));
        if (!result.succeeded() && process.isAlive()) {
            log.warn("cannot send SIG{} to PostgreSQL (pid {}): {}", signal, process.pid(), result.output());
        }
    }

    private static boolean hasEnded(ProcessHandle process, Duration within) {
        try {
            process.onExit().get(within.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException _) {
            return false;
        } catch (ExecutionException e) {
            throw new EmbeddedPostgresException("cannot wait for PostgreSQL to end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedPostgresException("interrupted while PostgreSQL was shutting down", e);
        }
    }
}
