package io.queenmq.engine.lease;

import io.queenmq.engine.partition.HashIndex;
import java.util.ArrayList;
import java.util.List;

/** The messages of one partition that one lease covers, by the hashes of their transactionIds. Owned by the engine loop. */
public final class LeasedRange {
    private static final long KEPT_AFTER_END_NS = 60_000_000_000L;

    /** Searches may visit this many messages in vain per message of the range before an index is built. */
    private static final int SCANS_MAX = 4;

    private final String group;
    private final String queue;
    private final String partition;
    private final List<Part> parts = new ArrayList<>(1);
    private long untilNs;
    private long heardOfNs;
    private boolean isOver;
    private int hintPart;
    private int hintIndex;
    private int size;
    private long visited;
    private HashIndex index;
    private long[] offsets;
    private int hintPosition;

    /** @param givenNs when the lease was given */
    public LeasedRange(String group, String queue, String partition, long givenNs, long untilNs) {
        this.heardOfNs = givenNs;
        this.untilNs = untilNs;
        this.group = group;
        this.queue = queue;
        this.partition = partition;
    }

    /** Adds messages whose hashes stand at positions from to end - 1, the first of them at this offset. */
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

    /** When the lease runs out, as far as this server knows. */
    public long untilNs() {
        return untilNs;
    }

    public void lastsUntil(long nowNs) {
        untilNs = nowNs;
    }

    /** When the lease was last known not to be over: it may end on another server, without this one hearing of it. */
    public long heardOfNs() {
        return heardOfNs;
    }

    public void heardOf(long nowNs) {
        heardOfNs = nowNs;
    }

    /** Whether the lease is known to have ended elsewhere. Who comes with it is still told by the database what that means. */
    public boolean isOver() {
        return isOver;
    }

    /** The lease ended elsewhere. The range is kept for a while, because late requests with the lease get better answers by it. */
    public void end(long nowNs) {
        isOver = true;
        untilNs = Math.min(untilNs, nowNs + KEPT_AFTER_END_NS);
    }

    /**
     * Returns the offset of the message with that hash, or -1. Acks mostly arrive in order, so a search begins behind the last
     * one. When searches have visited many messages in vain, an index is built, so that acks in any order take linear time.
     */
    public long find(long hash) {
        if (index != null) {
            int found = index.find(hash, hintPosition);
            found = found >= 0 ? found : index.find(hash, 0);
            hintPosition = found + 1;
            return found < 0 ? -1 : offsets[found];
        }
        for (int p = 0; p < parts.size(); p++) {
            int at = (hintPart + p) % parts.size();
            Part part = parts.get(at);
            int length = part.end - part.from;
            int start = p == 0 ? hintIndex : 0;
            for (int i = 0; i < length; i++) {
                int index = (start + i) % length;
                if (part.hashes[part.from + index] == hash) {
                    hintPart = at;
                    hintIndex = (index + 1) % length;
                    countVisited();
                    return part.firstOffset + index;
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
        for (Part part : parts) {
            for (int i = part.from; i < part.end; i++) {
                hashes[position] = part.hashes[i];
                offsets[position++] = part.firstOffset + i - part.from;
            }
        }
        index = new HashIndex(hashes);
    }

    private record Part(long[] hashes, int from, int end, long firstOffset) {}
}
