package io.queenmq.engine.push;

import java.util.ArrayDeque;

/**
 * The transactionId hashes of the last messages of one partition, with the offset of each. Complete from the start of the
 * partition's duplicate window up to {@link #known}: a hash that is missing here is not in the duplicate
 * window, whichever server appended the messages.
 * A ring of hashes in offset order, and an open-addressed table of positions in that ring. Owned by the engine loop.
 */
final class DedupWindow {
    private static final int CAPACITY_MIN = 16;
    private static final int NONE = -1;

    private long first;
    private long known = NONE;
    private long[] ring = new long[CAPACITY_MIN];
    private int[] table = emptyTable(CAPACITY_MIN);
    private final ArrayDeque<Age> ages = new ArrayDeque<>();

    /** Returns the offset up to which every hash is loaded; -1 if none is. */
    long known() {
        return known;
    }

    boolean isKnown() {
        return known != NONE;
    }

    /** Returns the memory use of the window, in messages. */
    int weight() {
        return ring.length + CAPACITY_MIN;
    }

    /** Returns the offset of the newest message with this hash, or -1. */
    long find(long hash) {
        int slot = slotOf(hash);
        return table[slot] == NONE ? NONE : offsetOf(table[slot]);
    }

    /** Returns the offset of the newest message with this hash before another offset, or -1. Searches backwards from there. */
    long findBefore(long hash, long offset) {
        for (long at = Math.min(offset, known) - 1; at >= first; at--) {
            if (ring[(int) (at & ring.length - 1)] == hash) {
                return at;
            }
        }
        return NONE;
    }

    /**
     * Begins the window at this offset, because no earlier message can make a later one a duplicate. A window that already ends
     * at this offset is kept, because its hashes are contiguous with the next message. Otherwise all hashes are dropped.
     */
    void startAt(long offset) {
        if (known != offset) {
            clear();
            first = offset;
            known = offset;
        }
    }

    /** Drops all hashes. Then the window is unknown. */
    void clearAll() {
        clear();
        first = 0;
        known = NONE;
    }

    /** Appends the hashes of messages that directly follow the window. */
    void append(long[] hashes, int from, int count, long createdAtMicros) {
        while (known - first + count > ring.length) {
            grow();
        }
        for (int i = 0; i < count; i++) {
            int position = (int) (known & ring.length - 1);
            ring[position] = hashes[from + i];
            // A second message with the same hash replaces the first one in the table: only the newest is looked up there.
            table[slotOf(hashes[from + i])] = position;
            known++;
        }
        if (ages.isEmpty() || createdAtMicros - ages.getLast().createdAtMicros > 1_000_000) {
            ages.add(new Age(known - count, createdAtMicros));
        }
    }

    /** Removes the oldest hashes until neither limit is exceeded. All times are of PostgreSQL's clock. */
    void trim(int messagesMax, long createdAfterMicros) {
        long keepFrom = Math.max(first, known - messagesMax);
        while (ages.size() > 1 && second().createdAtMicros <= createdAfterMicros) {
            ages.poll();
        }
        if (!ages.isEmpty()) {
            boolean isAllOld = ages.size() == 1 && ages.peek().createdAtMicros + 1_000_000 <= createdAfterMicros;
            keepFrom = Math.max(keepFrom, isAllOld ? known : ages.peek().offset);
        }
        for (; first < keepFrom; first++) {
            remove((int) (first & ring.length - 1));
        }
    }

    private Age second() {
        var each = ages.iterator();
        each.next();
        return each.next();
    }

    private void clear() {
        ring = new long[CAPACITY_MIN];
        table = emptyTable(CAPACITY_MIN);
        ages.clear();
    }

    private void grow() {
        long[] old = ring;
        ring = new long[old.length * 2];
        table = emptyTable(ring.length);
        for (long offset = first; offset < known; offset++) {
            int position = (int) (offset & ring.length - 1);
            ring[position] = old[(int) (offset & old.length - 1)];
            table[slotOf(ring[position])] = position;
        }
    }

    private long offsetOf(int position) {
        long offset = known & -ring.length | position;
        return offset < known ? offset : offset - ring.length;
    }

    /** Returns the slot of this hash, or the free slot in which it would be stored. */
    private int slotOf(long hash) {
        int mask = table.length - 1;
        int slot = home(hash);
        while (table[slot] != NONE && ring[table[slot]] != hash) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void remove(int position) {
        int mask = table.length - 1;
        int hole = slotOf(ring[position]);
        if (table[hole] != position) {
            return;
        }
        // Entries that were displaced past the hole are moved back, so that no search ends too early.
        for (int slot = hole + 1 & mask; table[slot] != NONE; slot = slot + 1 & mask) {
            int distance = slot - home(ring[table[slot]]) & mask;
            if (distance >= (slot - hole & mask)) {
                table[hole] = table[slot];
                hole = slot;
            }
        }
        table[hole] = NONE;
    }

    private int home(long hash) {
        return (int) (hash ^ hash >>> 32) & table.length - 1;
    }

    private static int[] emptyTable(int capacity) {
        int[] table = new int[capacity * 2];
        java.util.Arrays.fill(table, NONE);
        return table;
    }

    /** Messages from this offset on are not older than this time. */
    private record Age(long offset, long createdAtMicros) {}
}
