package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.error.TransactionAbortedException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Transactions of acknowledgments and pushes, which require valid leases. */
class TransactionTest {
    @RegisterExtension
    static final TestServer server = new TestServer();

    private final Queen queen = server.queen();
    private final String in = TestServer.newQueue();
    private final String out = TestServer.newQueue();
    private final QueueView<String> queue = queen.queue(in, String.class);
    private final GroupView<String> group = queue.group("billing");

    @Test
    void acksAndPushesAreStoredTogether() {
        queue.pushAll(List.of("1", "2", "3"));
        Batch<String> batch = group.pop(PopOptions.DEFAULT.batch(2));

        var stored = queen.transaction(tx -> {
            batch.forEach(tx::ack);
            tx.push(out, "customer", "invoice 1");
            tx.push(out, Message.of("invoice 2").partition("customer").transactionId("second"));
        });

        assertThat(stored).hasSize(2).allMatch(PushResult.Queued.class::isInstance);
        assertThat(stored.get(1).transactionId()).isEqualTo("second");
        assertThat(server.stored(out, "customer")).containsExactly("invoice 1", "invoice 2");
        assertThat(group.pop().deliveries()).extracting(Delivery::value).containsExactly("3");
    }

    @Test
    void aConsumerWithALostLeaseChangesNothing() {
        queue.push("1");
        Delivery<String> zombie = group.pop().deliveries().getFirst();
        server.expireLeases(in);
        Delivery<String> owner = group.pop().deliveries().getFirst();

        assertThatThrownBy(() -> queen.transaction(tx -> tx.ack(zombie).push(out, "a", "zombie")))
                .isInstanceOf(TransactionAbortedException.class);
        queen.transaction(tx -> tx.ack(owner).push(out, "a", "owner"));

        assertThat(server.stored(out, "a")).containsExactly("owner");
    }

    @Test
    void aRequiredLeaseMustBeValid() {
        queue.push("1");
        Delivery<String> delivery = group.pop().deliveries().getFirst();

        queen.transaction(tx -> tx.requireLeaseOf(delivery).push(out, "a", "live"));
        server.expireLeases(in);

        assertThatThrownBy(() -> queen.transaction(tx -> tx.requireLeaseOf(delivery).push(out, "a", "dead")))
                .isInstanceOf(TransactionAbortedException.class);
        assertThat(server.stored(out, "a")).containsExactly("live");
    }

    @Test
    void anExceptionWhileFillingSendsNothing() {
        queue.push("1");
        Delivery<String> delivery = group.pop().deliveries().getFirst();

        assertThatThrownBy(() -> queen.transaction(tx -> {
            tx.ack(delivery).push(out, "a", "never");
            throw new IllegalStateException("changed my mind");
        })).hasMessage("changed my mind");

        assertThat(server.stored(out, "a")).isEmpty();
        assertThat(server.pending(in)).isOne();
    }

    @Test
    void aHandlerMayAckAndPushInATransaction() throws Exception {
        queue.partition("x").pushAll(List.of("1", "2", "3"));

        try (var running = group.consumer().batch(10).stopWhenIdle(Duration.ofSeconds(3))
                .start(d -> queen.transaction(tx -> tx.ack(d).push(out, d.partition(), "invoice " + d.value())))) {
            running.awaitEnd();
        }

        assertThat(server.stored(out, "x")).containsExactly("invoice 1", "invoice 2", "invoice 3");
        assertThat(server.pending(in)).isZero();
        assertThat(server.leases(in)).isZero();
    }

    @Test
    void anEmptyTransactionSendsNothing() {
        assertThat(queen.transaction(tx -> {})).isEmpty();
    }
}
