package io.queenmq.engine.pop;

import org.jspecify.annotations.Nullable;

/**
 * The numbers of failed deliveries of the messages in a granted range. Immutable.
 *
 * @param runs three numbers for each run of messages with the same number: first offset, end, and number of failed deliveries
 */
record Attempts(Long[] runs) {
    static final Attempts NONE = new Attempts(new Long[0]);

    /** @param runs null if no delivery failed */
    static Attempts of(Long @Nullable [] runs) {
        return runs == null ? NONE : new Attempts(runs);
    }

    /** Returns the number of failed deliveries of the message at this offset. */
    int at(long offset) {
        for (int i = 0; i < runs.length; i += 3) {
            if (offset >= runs[i] && offset < runs[i + 1]) {
                return runs[i + 2].intValue();
            }
        }
        return 0;
    }
}
