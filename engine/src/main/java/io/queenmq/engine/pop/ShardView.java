package io.queenmq.engine.pop;

/** How much of a queue's partitions in one shard was seen for a group, and when. Owned by the engine loop. */
final class ShardView {
    /** What has been seen. */
    enum Knowledge {
        /** Nothing yet, or something was missed: every partition has to be looked at. */
        NONE,
        /** The partitions are being looked at, page by page. */
        SWEEPING,
        /** Every partition was looked at, and pushes since then ring. */
        COMPLETE
    }

    private Knowledge knowledge = Knowledge.NONE;
    private boolean isLooking;
    private long lookedAtNs;
    private long lookedFarAtNs;
    private long sweptAtNs;
    private int looksInVain;

    Knowledge knowledge() {
        return knowledge;
    }

    void setKnowledge(Knowledge knowledge) {
        this.knowledge = knowledge;
    }

    /** What is known is worth nothing any more. */
    void forget() {
        knowledge = Knowledge.NONE;
        isLooking = false;
    }

    /** Whether a look at the partitions pushed to lately is on its way. */
    boolean isLooking() {
        return isLooking;
    }

    void setLooking(boolean isLooking) {
        this.isLooking = isLooking;
    }

    /** Whether an answer is to come that somebody may wait for. */
    boolean isUnderWay() {
        return isLooking || knowledge == Knowledge.SWEEPING;
    }

    /** When it was last asked whether other servers pushed something. */
    long lookedAtNs() {
        return lookedAtNs;
    }

    long lookedFarAtNs() {
        return lookedFarAtNs;
    }

    void looked(long nowNs, boolean isFar) {
        lookedAtNs = nowNs;
        if (isFar) {
            lookedFarAtNs = nowNs;
        }
    }

    /** When the partitions with something to read were last asked for. */
    long sweptAtNs() {
        return sweptAtNs;
    }

    /** How many times in a row that brought nothing new. */
    int looksInVain() {
        return looksInVain;
    }

    void swept(long nowNs, boolean isNews) {
        sweptAtNs = nowNs;
        looksInVain = isNews ? 0 : looksInVain + 1;
    }
}
