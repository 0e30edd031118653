package io.queenmq.server.concurrency;

import io.queenmq.testkit.QueenClient.Message;
import java.util.List;

/**
 * One answer of a pop.
 *
 * @param beganNs when the pop was asked for
 */
record Delivery(String group, String leaseId, List<Message> messages, long beganNs) {
    String partition() {
        return messages.getFirst().partition();
    }
}
