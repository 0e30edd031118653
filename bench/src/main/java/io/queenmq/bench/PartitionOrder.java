package io.queenmq.bench;

import org.jspecify.annotations.Nullable;

/**
 * What must come next in each partition from each producer. A producer waits for the answer before it sends its next message,
 * so its messages must come back in the order it sent them, without gaps; between producers any order is right.
 */
final class PartitionOrder implements DeliveryOrder {
    private final int producers;
    private final long[] next;

    PartitionOrder(int partitions, int producers) {
        this.producers = producers;
        this.next = new long[partitions * producers];
    }

    @Override
    public void begin(long sentNs) {}

    @Override
    public @Nullable String problemWith(PopAnswer.Message message) {
        if (!message.isOurs() || message.stream() >= next.length / producers || message.producer() >= producers) {
            return NOT_SENT;
        }
        int place = message.stream() * producers + message.producer();
        long due = next[place];
        long came = message.sequence();
        // Go on from here, or each message after one that is missing would be called wrong.
        next[place] = Math.max(due, came + 1);
        return came == due ? null : DeliveryOrder.wrong(message, due);
    }
}
