package io.queenmq.bench;

/**
 * What must come next in each lane from each producer. A producer waits for the answer before it sends its next message,
 * so its messages must come back in the order it sent them, without gaps; between producers any order is right.
 */
final class LaneOrder {
    private final int producers;
    private final long[] next;

    LaneOrder(int lanes, int producers) {
        this.producers = producers;
        this.next = new long[lanes * producers];
    }

    /** Says what is wrong with the place of this message; null when nothing is. */
    String problemWith(PopAnswer.Message message) {
        if (!message.isOurs() || message.stream() >= next.length / producers || message.producer() >= producers) {
            return "a message came that nobody sent";
        }
        int place = message.stream() * producers + message.producer();
        long expected = next[place];
        long came = message.sequence();
        // Go on from here, or each message after one that is missing would be called wrong.
        next[place] = Math.max(expected, came + 1);
        return came == expected
                ? null
                : "lane " + message.stream() + ": message " + came + " came where " + expected + " was due";
    }
}
