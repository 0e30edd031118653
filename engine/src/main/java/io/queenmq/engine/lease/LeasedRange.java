package io.queenmq.engine.lease;

import io.queenmq.engine.partition.HashIndex;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one partition that one lease covers, indexed by the hashes of their transactionIds. Owned by the engine loop.
 */
public final class LeasedRange {
    private static final long KEEP_AFTER_END_NS = 60_000_000_000L;

    /** An index is built when searches have visited, without a match, more than this many messages per message of the range. */
    private static final int SCANS_MAX = 4;

    private static final long[] NO_OFFSETS = {};

    private final String group;
    private final String queue;
    private final String partition;
    private final List<Part> parts = new ArrayList<>(1);
    private long untilNs;
    private long confirmedNs;
    private boolean isEnded;
    private int hintPart;
    private int hintIndex;
    private int size;
    private long visited;
    private @Nullable HashIndex index;
    private long[] offsets = NO_OFFSETS;
    private int hintPosition;

    /** @param acquiredNs the time at which the lease was acquired */
    public LeasedRange(String group, String queue, String partition, long acquiredNs, long untilNs) {
        this.confirmedNs = acquiredNs;
        this.untilNs = untilNs;
        this.group = group;
        this.queue = queue;
        this.partition = partition;
    }

    /** Adds the messages whose hashes are at positions from to end - 1 of the array. The first of them has the given offset. */
    public void add(long[] hashes, int from, int end, long firstOffset) {
        parts.add(new Part(hashes, from, end, firstOffset));
        size += end - from;
    }

    public String group() {
        return group;
    }

    public String queue() {
        return queue;
    }

    public String partition() {
        return partition;
    }

    /** Returns the expiry time of the lease, which other servers may have changed. */
    public long untilNs() {
        return untilNs;
    }

    public void setUntil(long expiryNs) {
        untilNs = expiryNs;
    }

    /**
     * Returns the time at which the lease was last known to be active. It may end on another server without a hint to this one.
     */
    public long confirmedNs() {
        return confirmedNs;
    }

    /** The lease is known to be active at this time. */
    public void confirm(long nowNs) {
        confirmedNs = nowNs;
    }

    /**
     * Returns true if the lease is known to have ended on another server. Requests with it must still be decided by the database.
     */
    public boolean isEnded() {
        return isEnded;
    }

    /**
     * The lease ended on another server. The range is kept for a while, so that late requests with the lease get precise
     * responses.
     */
    public void end(long nowNs) {
        isEnded = true;
        untilNs = Math.min(untilNs, nowNs + KEEP_AFTER_END_NS);
    }

    /**
     * Returns the offset of the message with that hash, or -1. Acks mostly arrive in order, so a search begins after the last
     * match. If several messages have the hash, acks in the order of the messages find each of them. An index is built when
     * searches have visited many messages without a match, so that acks in any order take linear time.
     */
    public long find(long hash) {
        if (index != null) {
            int found = index.find(hash, hintPosition);
            found = found >= 0 ? found : index.find(hash, 0);
            if (found < 0) {
                return -1;
            }
            hintPosition = found + 1;
            return offsets[found];
        }
        if (parts.isEmpty()) {
            return -1;
        }
        // The part of the last match is searched twice: first behind the match, and at the end before it.
        for (int p = 0; p <= parts.size(); p++) {
            int at = (hintPart + p) % parts.size();
            Part part = parts.get(at);
            int start = p == 0 ? hintIndex : 0;
            int end = p == parts.size() ? hintIndex : part.end - part.from;
            for (int i = start; i < end; i++) {
                if (part.hashes[part.from + i] == hash) {
                    hintPart = at;
                    hintIndex = i + 1;
                    countVisited();
                    return part.firstOffset + i;
                }
                visited++;
            }
        }
        countVisited();
        return -1;
    }

    private void countVisited() {
        if (visited > (long) SCANS_MAX * size) {
            buildIndex();
        }
    }

    private void buildIndex() {
        long[] hashes = new long[size];
        offsets = new long[size];
        int position = 0;
        for (int p = 0; p < parts.size(); p++) {
            Part part = parts.get(p);
            if (p == hintPart) {
                hintPosition = position + hintIndex;
            }
            for (int i = part.from; i < part.end; i++) {
                hashes[position] = part.hashes[i];
                offsets[position++] = part.firstOffset + i - part.from;
            }
        }
        index = new HashIndex(hashes);
    }

    private record Part(long[] hashes, int from, int end, long firstOffset) {}
}
