package io.queenmq.bench;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks that each message is delivered once and in the order of its partition. Must be called for every message on arrival. */
interface DeliveryOrder {
    String NOT_SENT = "a message was delivered that was not sent";

    /** Begins a response to a request that was sent at this time. */
    void begin(long sentNs);

    /** Returns the error in the order of this message, or null. */
    @Nullable
    String problemWith(PopAnswer.Message message);

    /** Returns the messages that were skipped, each once. Must be called without requests in flight. */
    default List<String> passedOver() {
        return List.of();
    }

    static String wrong(PopAnswer.Message message, long due) {
        return "partition " + message.stream() + ": message " + message.sequence() + " was delivered instead of " + due;
    }
}
