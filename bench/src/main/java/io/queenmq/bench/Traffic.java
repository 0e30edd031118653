package io.queenmq.bench;

import java.time.Duration;

/** The requests of one scenario, one following the other. Owned by the thread of its {@link ClientLoop}. */
interface Traffic extends ClientLoop.Tick {
    /** Brings everything to where measuring can go on, which is not measured itself. */
    void prepare();

    /** Sends on every connection that is free. */
    void start();

    /** Whether nothing is left to do until the next {@link #prepare}. */
    boolean isExhausted();

    /** Ends, after what was promised has come. */
    void finish();

    /** @param patience how long messages that were stored may fail to come before they count as lost */
    static Traffic of(Load load, ClientLoop loop, String host, QueueNames queues, Tally tally, Duration patience) {
        return switch (load) {
            case Load.Push push -> new PushTraffic(push, loop, host, queues, tally);
            case Load.Drain drain -> new DrainTraffic(drain, loop, host, queues, tally, patience);
            case Load.Delivery delivery -> new DeliveryTraffic(delivery, loop, host, queues, tally, patience);
        };
    }
}
