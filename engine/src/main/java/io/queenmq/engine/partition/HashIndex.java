package io.queenmq.engine.partition;

import java.util.Arrays;
import java.util.Comparator;

/** The positions of hashes in an array, found by binary search. Used where many hashes are looked up in one array. Immutable. */
public final class HashIndex {
    private final long[] hashes;
    private final Integer[] sorted;

    public HashIndex(long[] hashes) {
        this.hashes = hashes;
        this.sorted = new Integer[hashes.length];
        Arrays.setAll(sorted, i -> i);
        Arrays.sort(sorted, Comparator.comparingLong((Integer i) -> hashes[i]).thenComparingInt(i -> i));
    }

    /** Returns the first position of the hash that is not before a given position, or -1. */
    public int find(long hash, int from) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int order = Long.compare(hashes[sorted[middle]], hash);
            if (order < 0 || order == 0 && sorted[middle] < from) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < sorted.length && hashes[sorted[low]] == hash ? sorted[low] : -1;
    }
}
