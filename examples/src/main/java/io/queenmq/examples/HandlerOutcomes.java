package io.queenmq.examples;

import io.queenmq.client.Outcome;
import io.queenmq.client.Queen;
import java.time.Duration;
import java.util.List;

/** A handler that returns the outcome of each message. */
public final class HandlerOutcomes {
    private HandlerOutcomes() {}

    public static void main(String[] args) throws InterruptedException {
        try (var queen = Queen.connect(Servers.url(args))) {
            var payments = queen.queue("payments", Order.class);
            payments.partition("customer-42").pushAll(List.of(new Order(1, "customer-42", 10),
                    new Order(2, "customer-42", -1), new Order(3, "customer-42", 5000)));
            var bank = new Bank();
            // snippet: deciding
            try (var consumer = payments.group("bank").consumer().stopWhenIdle(Duration.ofSeconds(1))
                    .startWithOutcomes(delivery -> {
                        Order order = delivery.value();
                        if (order.total() < 0) {
                            return Outcome.deadLetter("negative total " + order.total());
                        }
                        return bank.accepts(order) ? Outcome.ack() : Outcome.retryAfter(Duration.ofMillis(200));
                    })) {
                consumer.awaitEnd();
            }
            // end
        }
    }

    /** Accepts large amounts only at the second attempt. */
    private static final class Bank {
        private boolean wasAsked;

        boolean accepts(Order order) {
            boolean isAccepted = order.total() < 1000 || wasAsked;
            wasAsked |= order.total() >= 1000;
            System.out.println((isAccepted ? "paid " : "not yet: ") + order.total());
            return isAccepted;
        }
    }
}
