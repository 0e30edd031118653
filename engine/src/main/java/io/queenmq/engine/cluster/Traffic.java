package io.queenmq.engine.cluster;

import java.util.concurrent.atomic.LongAdder;

/** Counts the hints that a server sends and receives. Safe from any thread. */
public final class Traffic {
    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder repeated = new LongAdder();
    private final LongAdder malformed = new LongAdder();
    private final LongAdder ofOtherVersion = new LongAdder();

    /** Counts a hint that was passed to the network. */
    public void countSent() {
        sent.increment();
    }

    public void countReceived() {
        received.increment();
    }

    /** Counts hints that were dropped because a send queue was full or a peer was silent. */
    public void countDropped(int count) {
        dropped.add(count);
    }

    /** Counts received bytes that no member has sent. */
    public void countRefused() {
        refused.increment();
    }

    /** Counts received bytes that repeat an earlier message of a member. */
    public void countRepeated() {
        repeated.increment();
    }

    /** Counts received bytes of a member that are not a readable hint. */
    public void countUnreadable(UnreadableHint reason) {
        (reason.isOfOtherVersion() ? ofOtherVersion : malformed).increment();
    }

    public Counts counts() {
        return new Counts(sent.sum(), received.sum(), dropped.sum(), refused.sum(), repeated.sum(), malformed.sum(),
                ofOtherVersion.sum());
    }

    /** The counts at one moment. */
    public record Counts(long sent, long received, long dropped, long refused, long repeated, long malformed,
            long ofOtherVersion) {}
}
