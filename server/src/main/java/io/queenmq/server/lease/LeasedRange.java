package io.queenmq.server.lease;

import java.util.ArrayList;
import java.util.List;

/** The messages of one lane that one lease covers, by the hashes of their transactionIds. Owned by the engine loop. */
public final class LeasedRange {
    private final String group;
    private final String queue;
    private final String partition;
    private final List<Part> parts = new ArrayList<>(1);
    private long untilNs;
    private long heardOfNs;
    private boolean isOver;
    private int hintPart;
    private int hintIndex;

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

    public void end() {
        isOver = true;
    }

    /** The offset of the message with that hash, or -1. Acks mostly come in order, so the search goes on where it was. */
    public long find(long hash) {
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
                    return part.firstOffset + index;
                }
            }
        }
        return -1;
    }

    private record Part(long[] hashes, int from, int end, long firstOffset) {}
}
