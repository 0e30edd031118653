package io.queenmq.examples;

import io.queenmq.client.ConsumerListener;
import io.queenmq.client.Delivery;
import io.queenmq.client.ErrorHandler;
import io.queenmq.client.Queen;
import java.time.Duration;

/** Rules for failures, and a notification about dead letters. */
public final class RetryRules {
    private RetryRules() {}

    public static void main(String[] args) throws InterruptedException {
        try (var queen = Queen.connect(Servers.url(args))) {
            var orders = queen.queue("risky-orders", Order.class);
            orders.partition("customer-42").push(new Order(1, "customer-42", -1));
            // snippet: retry-rules
            var rules = ErrorHandler.notRetryable(IllegalArgumentException.class).orElse(ErrorHandler.maxAttempts(3));
            try (var consumer = orders.group("billing").consumer().errorHandler(rules).listener(new ConsumerListener() {
                @Override
                public void deadLettered(Delivery<?> delivery, String reason) {
                    System.out.println("dead-lettered " + delivery.value() + ": " + reason);
                }
            }).stopWhenIdle(Duration.ofSeconds(1)).start(delivery -> bill(delivery.value()))) {
                consumer.awaitEnd();
            }
            // end
        }
    }

    private static void bill(Order order) {
        if (order.total() < 0) {
            throw new IllegalArgumentException("negative total");
        }
    }
}
