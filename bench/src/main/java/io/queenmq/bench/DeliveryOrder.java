package io.queenmq.bench;

import java.util.List;

/** Judges whether messages come in the order of their partition, each once. Told of every message as it arrives. */
interface DeliveryOrder {
    String NOT_SENT = "a message came that nobody sent";

    /** The messages that follow are from one answer, to a request that was sent then. */
    void begin(long sentNs);

    /** Says what is wrong with the place of this message; null when nothing is. */
    String problemWith(PopAnswer.Message message);

    /** No request is under way: says which messages were passed over for good. Each is named once. */
    default List<String> passedOver() {
        return List.of();
    }

    static String wrong(PopAnswer.Message message, long due) {
        return "partition " + message.stream() + ": message " + message.sequence() + " came where " + due + " was due";
    }
}
