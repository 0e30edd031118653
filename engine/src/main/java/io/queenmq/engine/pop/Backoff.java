package io.queenmq.engine.pop;

import io.queenmq.engine.config.EngineConfig.PopWait;

/**
 * How long a group of waiting pops that nobody rings waits before it looks by itself: the base interval at first, and
 * longer and longer after a number of looks in vain. Immutable.
 */
record Backoff(PopWait settings, int looksInVain) {
    static Backoff fresh(PopWait settings) {
        return new Backoff(settings, 0);
    }

    Backoff inVain() {
        return new Backoff(settings, looksInVain + 1);
    }

    Backoff reset() {
        return looksInVain == 0 ? this : fresh(settings);
    }

    long intervalNs() {
        long baseNs = settings.baseInterval().toNanos();
        long maxNs = settings.maxInterval().toNanos();
        int steps = Math.max(0, looksInVain - settings.backoffThreshold() + 1);
        return (long) Math.min(maxNs, baseNs * Math.pow(settings.backoffMultiplier(), steps));
    }
}
