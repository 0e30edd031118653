package io.queenmq.engine.cluster;

import java.util.concurrent.atomic.LongAdder;

/** Counts what a server tells others and hears of them. Safe from any thread. */
public final class Traffic {
    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder repeated = new LongAdder();
    private final LongAdder malformed = new LongAdder();
    private final LongAdder ofOtherVersion = new LongAdder();

    /** A hint was given to the network. */
    public void countSent() {
        sent.increment();
    }

    public void countReceived() {
        received.increment();
    }

    /** There was no room for something, here or on the way to a member that takes nothing. */
    public void countDropped(int count) {
        dropped.add(count);
    }

    /** Bytes came that no member has sent. */
    public void countRefused() {
        refused.increment();
    }

    /** Bytes came that a member has sent, but not now. */
    public void countRepeated() {
        repeated.increment();
    }

    /** A member sent something that cannot be read. */
    public void countUnreadable(UnreadableHint reason) {
        (reason.isOfOtherVersion() ? ofOtherVersion : malformed).increment();
    }

    public Counts counts() {
        return new Counts(sent.sum(), received.sum(), dropped.sum(), refused.sum(), repeated.sum(), malformed.sum(),
                ofOtherVersion.sum());
    }

    /** What was counted up to a moment. */
    public record Counts(long sent, long received, long dropped, long refused, long repeated, long malformed,
            long ofOtherVersion) {}
}
