package io.queenmq.engine.pop;

import io.queenmq.engine.config.EngineConfig.PopWait;

/**
 * The interval between polls for waiting pops while there is no arrival: the base interval at first, and increasing intervals
 * after a number of polls that found nothing. Immutable.
 *
 * @param emptyPolls the number of consecutive polls that found nothing
 */
record Backoff(PopWait settings, int emptyPolls) {
    static Backoff fresh(PopWait settings) {
        return new Backoff(settings, 0);
    }

    Backoff afterEmptyPoll() {
        return new Backoff(settings, emptyPolls + 1);
    }

    Backoff reset() {
        return emptyPolls == 0 ? this : fresh(settings);
    }

    long intervalNs() {
        long baseNs = settings.baseInterval().toNanos();
        long maxNs = settings.maxInterval().toNanos();
        int steps = Math.max(0, emptyPolls - settings.backoffThreshold() + 1);
        return (long) Math.min(maxNs, baseNs * Math.pow(settings.backoffMultiplier(), steps));
    }
}
