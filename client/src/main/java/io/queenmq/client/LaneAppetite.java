package io.queenmq.client;

import java.time.Duration;

/**
 * From how many lanes a worker fetches at a time. Where lanes hold little, each request should bring many of them, or the way
 * to the server is all that counts. Where a lane fills the batch by itself, or handlers take their time, more lanes would only
 * wait here while other workers have nothing to do. So it follows from what came: twice as many lanes when all that were asked
 * for did not fill the batch and were handled in no time, half as many when they took long. For one thread.
 */
final class LaneAppetite {
    static final int LANES_MAX = 100;

    /** Lanes should not wait here for longer than this. */
    private static final long LONG_NS = Duration.ofMillis(100).toNanos();

    private final boolean isFixed;
    private int lanes;

    /** @param fixed how many lanes it always is; 0 to learn */
    LaneAppetite(int fixed) {
        this.isFixed = fixed > 0;
        this.lanes = isFixed ? fixed : 1;
    }

    int lanes() {
        return lanes;
    }

    /** @param handledNs how long it took to handle what came */
    void learn(int messagesWanted, int messagesCame, int lanesCame, long handledNs) {
        if (isFixed || messagesCame == 0) {
            return;
        }
        if (handledNs > LONG_NS) {
            lanes = Math.max(1, Math.min(lanes, lanesCame) / 2);
        } else if (messagesCame >= messagesWanted) {
            lanes = Math.min(lanes, lanesCame);
        } else if (lanesCame >= lanes && handledNs <= LONG_NS / 2) {
            lanes = Math.min(LANES_MAX, lanes * 2);
        }
    }
}
