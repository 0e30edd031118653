package io.queenmq.engine.partition;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A set of offsets as ranges, in the text form of PostgreSQL's int8multirange: {@code {[3,7),[9,10)}}. Immutable.
 *
 * @param bounds the begin and the end of each range, alternating and ascending
 */
public record OffsetSet(long[] bounds) {
    public static final OffsetSet NONE = new OffsetSet(new long[0]);

    /** Returns the set of the given offsets, which may be in any order and repeated. */
    public static OffsetSet of(long[] offsets) {
        long[] sorted = offsets.clone();
        Arrays.sort(sorted);
        long[] bounds = new long[sorted.length * 2];
        int size = 0;
        for (long offset : sorted) {
            if (size > 0 && offset <= bounds[size - 1]) {
                bounds[size - 1] = Math.max(bounds[size - 1], offset + 1);
            } else {
                bounds[size++] = offset;
                bounds[size++] = offset + 1;
            }
        }
        return new OffsetSet(Arrays.copyOf(bounds, size));
    }

    /** @param text null for an empty set */
    public static OffsetSet parse(@Nullable String text) {
        if (text == null || text.length() <= 2) {
            return NONE;
        }
        String[] numbers = text.substring(2, text.length() - 2).split("[,)\\[]+");
        long[] bounds = new long[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            bounds[i] = Long.parseLong(numbers[i]);
        }
        return new OffsetSet(bounds);
    }

    public boolean contains(long offset) {
        int found = Arrays.binarySearch(bounds, offset);
        // Bounds alternate: a begin is at an even position, and an offset after a begin is in the set.
        return found >= 0 ? found % 2 == 0 : (-found - 1) % 2 == 1;
    }

    public boolean isEmpty() {
        return bounds.length == 0;
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
        return other instanceof OffsetSet set && Arrays.equals(bounds, set.bounds);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bounds);
    }
}
