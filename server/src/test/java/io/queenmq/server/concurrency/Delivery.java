package io.queenmq.server.concurrency;

import io.queenmq.testkit.QueenClient.Message;
import java.util.List;

/**
 * The response of a pop with messages.
 *
 * @param beganNs the time at which the pop was sent
 */
record Delivery(String group, String leaseId, List<Message> messages, long beganNs) {
    String partition() {
        return messages.getFirst().partition();
    }
}
