package io.queenmq.bench;

import java.time.Duration;

/** The requests of a scenario. Owned by the thread of its {@link ClientLoop}. */
interface Traffic extends ClientLoop.Tick {
    /** Prepares the next round. The preparation is not measured. */
    void prepare();

    /** Sends a request on every free connection. */
    void start();

    /** Returns true if the round has ended. */
    boolean isExhausted();

    /** Waits for the delivery of all stored messages, and ends. */
    void finish();

    /** @param deliveryTimeout time after which a stored message that is not delivered counts as lost */
    static Traffic of(Load load, ClientLoop loop, String host, QueueNames queues, Tally tally,
            Duration deliveryTimeout) {
        return switch (load) {
            case Load.Push push -> new PushTraffic(push, loop, host, queues, tally);
            case Load.Drain drain -> new DrainTraffic(drain, loop, host, queues, tally, deliveryTimeout);
            case Load.Delivery delivery -> new DeliveryTraffic(delivery, loop, host, queues, tally, deliveryTimeout);
        };
    }
}
