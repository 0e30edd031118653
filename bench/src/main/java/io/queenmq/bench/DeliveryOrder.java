package io.queenmq.bench;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Judges whether messages come in the order of their partition, each once. Told of every message as it arrives. */
interface DeliveryOrder {
    String NOT_SENT = "a message came that nobody sent";

    /** The messages that follow are from one answer, to a request that was sent then. */
    void begin(long sentNs);

    /** Returns the problem with the place of this message; null if the place is right. */
    @Nullable
    String problemWith(PopAnswer.Message message);

    /** No request is under way: says which messages were passed over for good. Each is named once. */
    default List<String> passedOver() {
        return List.of();
    }

    static String wrong(PopAnswer.Message message, long due) {
        return "partition " + message.stream() + ": message " + message.sequence() + " came where " + due + " was due";
    }
}
