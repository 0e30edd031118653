package io.queenmq.engine.simulation.store;

import java.util.Arrays;

/**
 * A set of offsets as PostgreSQL's int8multirange computes with it. Immutable. Where a column would be null, the store
 * has the empty set.
 *
 * @param bounds begin and end of each range in turn, ascending, no two ranges touching
 */
public record Ranges(long[] bounds) {
    static final Ranges NONE = new Ranges(new long[0]);

    /** Returns the offsets from first to end - 1. */
    static Ranges of(long first, long end) {
        return first < end ? new Ranges(new long[]{first, end}) : NONE;
    }

    static Ranges of(long offset) {
        return of(offset, offset + 1);
    }

    /** Returns every offset before this one. */
    static Ranges before(long end) {
        return of(Long.MIN_VALUE, end);
    }

    static Ranges parse(String text) {
        String inner = text.substring(1, text.length() - 1);
        if (inner.isEmpty()) {
            return NONE;
        }
        return new Ranges(Arrays.stream(inner.substring(1, inner.length() - 1).split("[,)\\[]+"))
                .mapToLong(Long::parseLong).toArray());
    }

    Ranges plus(Ranges other) {
        long[][] runs = new long[(bounds.length + other.bounds.length) / 2][];
        for (int i = 0; i < bounds.length; i += 2) {
            runs[i / 2] = new long[]{bounds[i], bounds[i + 1]};
        }
        for (int i = 0; i < other.bounds.length; i += 2) {
            runs[(bounds.length + i) / 2] = new long[]{other.bounds[i], other.bounds[i + 1]};
        }
        Arrays.sort(runs, (a, b) -> Long.compare(a[0], b[0]));
        long[] merged = new long[runs.length * 2];
        int size = 0;
        for (long[] run : runs) {
            if (size > 0 && run[0] <= merged[size - 1]) {
                merged[size - 1] = Math.max(merged[size - 1], run[1]);
            } else {
                merged[size++] = run[0];
                merged[size++] = run[1];
            }
        }
        return new Ranges(Arrays.copyOf(merged, size));
    }

    Ranges minus(Ranges other) {
        return times(other.complement());
    }

    /** Returns the intersection. */
    Ranges times(Ranges other) {
        Ranges both = NONE;
        for (int i = 0; i < bounds.length; i += 2) {
            for (int j = 0; j < other.bounds.length; j += 2) {
                both = both
                        .plus(of(Math.max(bounds[i], other.bounds[j]), Math.min(bounds[i + 1], other.bounds[j + 1])));
            }
        }
        return both;
    }

    private Ranges complement() {
        Ranges rest = NONE;
        long from = Long.MIN_VALUE;
        for (int i = 0; i < bounds.length; i += 2) {
            rest = rest.plus(of(from, bounds[i]));
            from = bounds[i + 1];
        }
        return rest.plus(of(from, Long.MAX_VALUE));
    }

    public boolean contains(long offset) {
        return endOfRunAt(offset) > offset;
    }

    boolean isWithin(Ranges other) {
        return minus(other).isEmpty();
    }

    public boolean isEmpty() {
        return bounds.length == 0;
    }

    /** Returns the end of the range that contains this offset; the offset itself if none does. */
    long endOfRunAt(long offset) {
        for (int i = 0; i < bounds.length; i += 2) {
            if (bounds[i] <= offset && offset < bounds[i + 1]) {
                return bounds[i + 1];
            }
        }
        return offset;
    }

    /** Returns the end of the last range; for the empty set a value before every offset. */
    long end() {
        return isEmpty() ? Long.MIN_VALUE : bounds[bounds.length - 1];
    }

    public long count() {
        long count = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            count += bounds[i + 1] - bounds[i];
        }
        return count;
    }

    /** Returns the text of the column: null for the empty set. */
    String textOrNull() {
        return isEmpty() ? null : toString();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < bounds.length; i += 2) {
            text.append(i == 0 ? "[" : ",[").append(bounds[i]).append(',').append(bounds[i + 1]).append(')');
        }
        return text.append('}').toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Ranges ranges && Arrays.equals(bounds, ranges.bounds);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bounds);
    }
}
