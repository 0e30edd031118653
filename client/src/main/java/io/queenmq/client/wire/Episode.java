package io.queenmq.client.wire;

import java.time.Duration;
import java.util.Optional;

/**
 * Something that goes wrong again and again, and when to speak of it: when it begins, once a minute while it lasts, and when
 * it is over. What comes and goes all the time is spoken of once a minute as well. Safe from any thread.
 */
public final class Episode {
    private static final long SILENCE_NS = Duration.ofMinutes(1).toNanos();

    private boolean isOn;
    private boolean isTold;
    private boolean wasEverTold;
    private long beganNs;
    private long toldNs;

    /** It went wrong once more. Returns since when it does if that is to be told, and nothing otherwise. */
    public synchronized Optional<Duration> onFailure(long nowNs) {
        if (!isOn) {
            isOn = true;
            isTold = false;
            beganNs = nowNs;
        }
        if (wasEverTold && nowNs - toldNs < SILENCE_NS) {
            return Optional.empty();
        }
        isTold = true;
        wasEverTold = true;
        toldNs = nowNs;
        return Optional.of(Duration.ofNanos(nowNs - beganNs));
    }

    /** It went well. Returns how long it did not if that is to be told, and nothing otherwise. */
    public synchronized Optional<Duration> onSuccess(long nowNs) {
        if (!isOn) {
            return Optional.empty();
        }
        isOn = false;
        return isTold ? Optional.of(Duration.ofNanos(nowNs - beganNs)) : Optional.empty();
    }
}
