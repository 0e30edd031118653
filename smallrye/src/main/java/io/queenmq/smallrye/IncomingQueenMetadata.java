package io.queenmq.smallrye;

import io.queenmq.client.Delivery;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a message that was received from Queen.
 *
 * @param group null for consumers without a group
 * @param attempt 1 for the first delivery
 */
public record IncomingQueenMetadata(String queue, String partition, @Nullable String group, String messageId,
        String transactionId, int attempt, Instant createdAt, Map<String, String> headers) {
    static IncomingQueenMetadata of(Delivery<?> delivery) {
        return new IncomingQueenMetadata(delivery.queue(), delivery.partition(), delivery.group(), delivery.messageId(),
                delivery.transactionId(), delivery.attempt(), delivery.createdAt(), delivery.headers());
    }
}
