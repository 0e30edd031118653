package io.queenmq.examples;

import io.queenmq.client.Queen;
import java.time.Duration;

/** Pushes an order and bills it: the order becomes an invoice. */
public final class FirstSteps {
    private FirstSteps() {}

    public static void main(String[] args) throws InterruptedException {
        String url = Servers.url(args);
        // snippet: first-steps
        try (var queen = Queen.connect(url)) {
            var orders = queen.queue("orders", Order.class);
            orders.partition("customer-42").push(new Order(1, "customer-42", 10));

            var billing = orders.group("billing").consumer().concurrency(16).batch(50);
            try (var consumer = billing.stopWhenIdle(Duration.ofSeconds(1)).start(delivery -> {
                Invoice invoice = bill(delivery.value());
                queen.transaction(tx -> {
                    tx.ack(delivery);
                    tx.push("invoices", delivery.partition(), invoice);
                });
            })) {
                consumer.awaitEnd();
            }
        }
        // end
    }

    private static Invoice bill(Order order) {
        System.out.println("billed " + order.customer() + " " + order.total());
        return new Invoice(order.number(), order.total());
    }
}
