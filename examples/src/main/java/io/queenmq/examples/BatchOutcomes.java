package io.queenmq.examples;

import io.queenmq.client.Outcome;
import io.queenmq.client.Queen;
import java.time.Duration;
import java.util.List;

/** A batch handler that returns one outcome per message. */
public final class BatchOutcomes {
    private BatchOutcomes() {}

    public static void main(String[] args) throws InterruptedException {
        try (var queen = Queen.connect(Servers.url(args))) {
            var orders = queen.queue("bulk-orders", Order.class);
            orders.partition("customer-42").pushAll(List.of(new Order(1, "customer-42", 10),
                    new Order(2, "customer-42", -1), new Order(3, "customer-42", 30)));
            // snippet: batch-outcomes
            try (var consumer = orders.group("accounting").consumer().stopWhenIdle(Duration.ofSeconds(1))
                    .startBatchesWithOutcomes(partition -> partition.stream().map(delivery -> {
                        boolean isValid = delivery.value().total() >= 0;
                        return isValid ? Outcome.ack() : Outcome.deadLetter("negative total");
                    }).toList())) {
                consumer.awaitEnd();
            }
            // end
        }
    }
}
