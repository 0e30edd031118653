package io.queenmq.examples;

import io.queenmq.client.Queen;
import java.time.Duration;
import java.util.List;

/** Turns each order into an invoice exactly once: the order is acknowledged if and only if the invoice is stored. */
public final class ExactlyOnce {
    private ExactlyOnce() {}

    public static void main(String[] args) throws InterruptedException {
        try (var queen = Queen.connect(Servers.url(args))) {
            var orders = queen.queue("accepted-orders", Order.class);
            orders.partition("customer-42")
                    .pushAll(List.of(new Order(1, "customer-42", 10), new Order(2, "customer-42", 20)));
            // snippet: hand-off
            try (var consumer = orders.group("invoicing").consumer().stopWhenIdle(Duration.ofSeconds(1))
                    .start(delivery -> {
                        Order order = delivery.value();
                        queen.transaction(tx -> {
                            tx.ack(delivery);
                            tx.push("invoices", order.customer(), new Invoice(order.number(), order.total()));
                        });
                    })) {
                consumer.awaitEnd();
            }
            // end
        }
    }
}
