package io.queenmq.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.Queen;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A test as an application would write it. */
// snippet: test
@QueenTest
class BillingTest {
    private final LinkedBlockingQueue<String> billed = new LinkedBlockingQueue<>();

    @Test
    void anOrderIsBilledOnceAlthoughConnectionsBreak(Queen queen, TestQueen server) throws Exception {
        String queue = server.newQueue();
        var orders = queen.queue(queue, Order.class);
        orders.partition("customer-42").push(new Order(1, "customer-42", 10));

        try (var _ = orders.group("billing").consumer().start(delivery -> {
            server.dropConnections();
            billed.add(delivery.value().customer());
        })) {
            assertThat(billed.poll(30, TimeUnit.SECONDS)).isEqualTo("customer-42");
        }
        assertThat(billed).isEmpty();
        assertThat(server.pending(queue, "billing")).isZero();
    }

    @Test
    void anOrderWithALostLeaseIsRedelivered(Queen queen, TestQueen server) throws Exception {
        String queue = server.newQueue();
        var orders = queen.queue(queue, Order.class);
        orders.partition("customer-42").push(new Order(1, "customer-42", 10));

        try (var _ = orders.group("billing").consumer().start(delivery -> {
            if (delivery.attempt() == 1) {
                server.expireLeases(queue);
            }
            billed.add("attempt " + delivery.attempt());
        })) {
            assertThat(billed.poll(30, TimeUnit.SECONDS)).isEqualTo("attempt 1");
            assertThat(billed.poll(30, TimeUnit.SECONDS)).isEqualTo("attempt 2");
        }
        assertThat(server.pending(queue, "billing")).isZero();
    }
}
// end
