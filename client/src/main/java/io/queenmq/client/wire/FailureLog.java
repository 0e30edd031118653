package io.queenmq.client.wire;

import java.time.Duration;
import java.util.Optional;

/**
 * Decides when a repeated failure is logged: at its beginning, once a minute while it lasts, and at its end. A failure
 * that alternates with successes is also logged once a minute. Thread-safe.
 */
public final class FailureLog {
    private static final long SILENCE_NS = Duration.ofMinutes(1).toNanos();

    private boolean isFailing;
    private boolean isLogged;
    private boolean wasEverLogged;
    private long startedNs;
    private long loggedNs;

    /** Records a failure. Returns the time since the first failure if it must be logged now, otherwise empty. */
    public synchronized Optional<Duration> onFailure(long nowNs) {
        if (!isFailing) {
            isFailing = true;
            isLogged = false;
            startedNs = nowNs;
        }
        if (wasEverLogged && nowNs - loggedNs < SILENCE_NS) {
            return Optional.empty();
        }
        isLogged = true;
        wasEverLogged = true;
        loggedNs = nowNs;
        return Optional.of(Duration.ofNanos(nowNs - startedNs));
    }

    /** Records a success. Returns the duration of the failure if its end must be logged now, otherwise empty. */
    public synchronized Optional<Duration> onSuccess(long nowNs) {
        if (!isFailing) {
            return Optional.empty();
        }
        isFailing = false;
        return isLogged ? Optional.of(Duration.ofNanos(nowNs - startedNs)) : Optional.empty();
    }
}
