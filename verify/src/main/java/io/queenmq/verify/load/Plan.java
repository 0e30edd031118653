package io.queenmq.verify.load;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The parameters of a workload.
 *
 * @param rate messages per second that producers push together
 * @param partitions of the queue that is spread over many
 * @param prefix of the names of the queues
 */
public record Plan(long seed, int rate, int partitions, String prefix, AtomicLong nextMessage) {

    String queue(String name) {
        return prefix + name;
    }

    long newMessage() {
        return nextMessage.getAndIncrement();
    }
}
