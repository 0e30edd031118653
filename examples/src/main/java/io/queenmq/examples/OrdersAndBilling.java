package io.queenmq.examples;

import io.queenmq.client.Message;
import io.queenmq.client.PushResult.Duplicate;
import io.queenmq.client.PushResult.Queued;
import io.queenmq.client.Queen;
import java.time.Duration;
import java.util.List;

/** Pushes orders, with one partition per customer, and bills them with a group of consumers. */
public final class OrdersAndBilling {
    private OrdersAndBilling() {}

    public static void main(String[] args) throws InterruptedException {
        // snippet: connect
        try (var queen = Queen.connect(Servers.url(args))) {
            var orders = queen.queue("orders", Order.class);
            orders.partition("customer-42").push(new Order(1, "customer-42", 10));
            // end
            // snippet: push-many
            orders.partition("customer-42")
                    .pushAll(List.of(new Order(2, "customer-42", 20), new Order(3, "customer-42", 30)));
            // end
            // snippet: push-once
            var result = orders
                    .push(Message.of(new Order(4, "customer-7", 40)).partition("customer-7").transactionId("order-4"));
            switch (result) {
                case Queued queued -> System.out.println("stored as " + queued.messageId());
                case Duplicate duplicate -> System.out.println("was there already: " + duplicate.messageId());
            }
            // end
            // snippet: consume
            try (var consumer = orders.group("billing").consumer().concurrency(16).batch(50)
                    .stopWhenIdle(Duration.ofSeconds(1)).start(delivery -> bill(delivery.value()))) {
                consumer.awaitEnd();
            }
            // end
        }
    }

    private static void bill(Order order) {
        System.out.println("billed " + order.customer() + " " + order.total());
    }
}
