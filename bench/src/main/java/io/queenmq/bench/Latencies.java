package io.queenmq.bench;

/** A histogram of durations in microseconds with a precision of one percent. */
final class Latencies {
    private static final int STEPS_BITS = 7;
    private static final int STEPS = 1 << STEPS_BITS;

    private final long[] counts = new long[(Long.SIZE - STEPS_BITS) * STEPS];
    private long count;

    void add(long micros) {
        counts[place(Math.max(0, micros))]++;
        count++;
    }

    /** Returns a quantile in milliseconds, or NaN without values. */
    double quantileMs(double quantile) {
        if (count == 0) {
            return Double.NaN;
        }
        long rank = Math.min(count - 1, (long) (quantile * count));
        int place = 0;
        for (long seen = counts[0]; seen <= rank; seen += counts[place]) {
            place++;
        }
        return micros(place) / 1_000.0;
    }

    /** Exact below 128; above, each doubling is divided into 128 equal steps. */
    private static int place(long micros) {
        if (micros < STEPS) {
            return (int) micros;
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros) - STEPS_BITS;
        return (shift + 1) * STEPS + (int) (micros >>> shift) - STEPS;
    }

    private static long micros(int place) {
        if (place < STEPS) {
            return place;
        }
        int shift = place / STEPS - 1;
        return ((long) (place % STEPS + STEPS) << shift) + (1L << shift >> 1);
    }
}
