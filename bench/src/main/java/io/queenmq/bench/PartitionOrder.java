package io.queenmq.bench;

import org.jspecify.annotations.Nullable;

/**
 * The next expected message of each producer in each partition. A producer waits for the response before it sends its next
 * message. So its messages must be delivered in the order of its pushes, without gaps. The order between producers is arbitrary.
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
        long sequence = message.sequence();
        // Continue from this message, so that a missing message is reported only once.
        next[place] = Math.max(due, sequence + 1);
        return sequence == due ? null : DeliveryOrder.wrong(message, due);
    }
}
