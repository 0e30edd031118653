package io.queenmq.engine.pop;

/**
 * How often messages of a granted range were delivered in vain. Immutable.
 *
 * @param runs three numbers for each run of messages that failed alike: first offset, end, and how often
 */
record Attempts(Long[] runs) {
    static final Attempts NONE = new Attempts(new Long[0]);

    /** @param runs null when nothing failed */
    static Attempts of(Long[] runs) {
        return runs == null ? NONE : new Attempts(runs);
    }

    int at(long offset) {
        for (int i = 0; i < runs.length; i += 3) {
            if (offset >= runs[i] && offset < runs[i + 1]) {
                return runs[i + 2].intValue();
            }
        }
        return 0;
    }
}
